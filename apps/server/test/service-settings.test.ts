/** Commands that open an external database with their own environment. */
import { createHmac, randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { eachEngine, engines, openTestDatabase } from '@lanternrock/testing/engines';
import { commands } from '../src/cli/commands.ts';
import { readConfig, type Config } from '../src/config/settings.ts';
import { recordServiceSettings, requireServiceSettings } from '../src/database/service-settings.ts';
import { runChecks } from '../src/doctor/run-checks.ts';
import { openService } from '../src/service.ts';
import { runCommand } from './support/run-command.ts';

it.skipIf(!engines.includes('postgres'))(
  'refuses an invitation with another SITE_URL than the service, and continues without a need for it',
  async () => {
    const { database, dataDir, url, dispose } = await openTestDatabase('postgres');
    const environment = {
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      SECRETS_KEY: randomBytes(32).toString('base64url'),
      DATABASE_POOL: '3',
    };
    const service = readConfig({
      ...environment,
      SITE_URL: 'https://console.example.org',
      ANON_KEY: randomBytes(32).toString('base64url'),
    });
    const opened = await openService({ config: service, log: pino({ level: 'silent' }) });
    await recordServiceSettings(opened);
    await opened.close();
    const invite = ['invite', 'robin@example.org', '--name', 'Robin Hart', '--link'] as const;
    const command = readConfig(environment);
    const { code, lines } = await runCommand(command, ...invite);
    expect([code, lines]).toEqual([
      expect.stringMatching(
        /^The service runs with other values of SITE_URL \(https:\/\/console\.example\.org\), ANON_KEY\. Nothing was changed\. Run /,
      ),
      [],
    ]);
    expect(await database.query(sql`select from private.invitations`)).toEqual([]);
    const other = { ...environment, SECRETS_KEY: randomBytes(32).toString('base64url') };
    expect((await runCommand(readConfig(other), 'keys', 'show')).code).toContain(
      'other values of SECRETS_KEY. Nothing',
    );
    expect(await database.query(sql`select from auth.service_secrets where name = 'anon-key'`)).toEqual([]);
    const status = await runCommand(command, 'status');
    expect(status.lines).toContain(
      'settings         differ from those of the service: SITE_URL (https://console.example.org), ANON_KEY',
    );
    expect(status.lines.join('\n')).not.toContain('mailbox');
    const results = await runChecks({ config: command, database, now: new Date() });
    expect(results.find(({ subject }) => subject === 'service')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('other values of SITE_URL (https://console.example.org), ANON_KEY; '),
    });
    // An administrator can be removed when the keys are lost.
    for (const SECRETS_KEY of ['', other.SECRETS_KEY]) {
      const keyless = readConfig({ ...environment, SECRETS_KEY });
      expect((await runCommand(keyless, 'admins', 'list')).code).toBe(0);
      expect((await runCommand(keyless, 'admins', 'remove', 'bo@example.org')).code).toContain(
        'bo@example.org is not an administrator.',
      );
      expect((await runCommand(keyless, 'status')).lines).toContain(
        'settings         differ from those of the service: SECRETS_KEY',
      );
    }
    for (const [name, ...args] of [['status'], ['accounts', 'list'], ['admins', 'list']] as const)
      expect((await runCommand(command, name, ...args)).code).toBe(0);
    const invited = await runCommand(service, ...invite);
    expect([invited.code, invited.lines[1]]).toEqual([
      0,
      expect.stringMatching(/^https:\/\/console\.example\.org\/auth\/callback\?/),
    ]);
    await dispose();
  },
);

eachEngine('the settings of the service', (engine) => {
  it('refuses settings that differ from those of the service, and names them', async () => {
    const { database, dispose } = await openTestDatabase(engine);
    const config = readConfig({});
    const keys = {
      hmac: (text: string, context: string) => createHmac('sha256', `key ${context}`).update(text).digest(),
    };
    const sources = (settings: Partial<Config>) => {
      const { SITE_URL = config.SITE_URL } = settings;
      return { config: { ...config, JWT_ISSUER: `${SITE_URL}/auth/v1`, ...settings }, keys, database };
    };
    await requireServiceSettings(sources({ SITE_URL: 'http://localhost:1' }));
    const secret = 'smtps://ann:hunter2@mail.example.org';
    const started = { SITE_URL: 'https://console.example.org', SMTP_URL: secret };
    expect(await recordServiceSettings(sources(started))).toEqual([]);
    await requireServiceSettings(sources({ ...started, LOG_LEVEL: 'debug', HOST: '::' }));
    await expect(requireServiceSettings(sources({}))).rejects.toThrow(
      'The service runs with other values of SITE_URL (https://console.example.org), SMTP_URL. Nothing was changed.',
    );
    const otherKeys = { hmac: (text: string) => createHmac('sha256', 'other').update(text).digest() };
    await expect(requireServiceSettings({ ...sources(started), keys: otherKeys })).rejects.toThrow(
      'other values of SECRETS_KEY. Nothing',
    );
    const [stored] = await database.query(sql`select s::text as row from private.service_settings s`);
    expect(JSON.stringify(stored)).not.toMatch(/hunter2|mail\.example/);
    // The next start, or a replica with other settings.
    expect(await recordServiceSettings(sources({ MAIL_FROM: 'a@example.org' }))).toEqual([
      'SITE_URL',
      'SMTP_URL',
      'MAIL_FROM',
    ]);
    expect(await recordServiceSettings(sources({ MAIL_FROM: 'a@example.org' }))).toEqual([]);
    const unknownPort = sources({ MAIL_FROM: 'a@example.org', SITE_URL: 'http://localhost:0' });
    await recordServiceSettings(sources(started));
    await expect(requireServiceSettings(unknownPort)).rejects.toThrow(
      'other values of SITE_URL (https://console',
    );
    await recordServiceSettings(sources({ MAIL_FROM: 'a@example.org', SITE_URL: 'http://localhost:49152' }));
    // A command does not know the port that the service selected.
    await requireServiceSettings(unknownPort);
    await dispose();
  });
});

it.each([
  ['invite', ['a@example.org', '--name', 'Ann'], true],
  ['admins', ['list'], false],
  ['admins', ['remove', 'a@example.org'], false],
  ['admins', ['restore', 'a@example.org'], false],
  ['admins', ['sign-out', 'a@example.org'], false],
  ['admins', ['set-end', 'a@example.org', 'never'], false],
  ['admins', ['require-second-factor', 'on'], false],
  ['admins', ['reset-factors', 'a@example.org'], true],
  ['keys', ['rotate'], true],
  ['accounts', ['export'], false],
  ['status', [], false],
  ['backup', ['a'], false],
  ['audit', ['export', 'a'], false],
])('compares the settings for %s %j: %s', (name, args, expected) => {
  const command = commands.find((candidate) => candidate.name === name);
  expect(command?.parse(args).requires === 'service-settings').toBe(expected);
});
