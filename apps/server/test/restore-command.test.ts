/** `lanternrock restore`: the keys of the instance and the audit log. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { sql, type Database } from '@lanternrock/postgres';
import { backupCommand } from '../src/cli/commands/backup.ts';
import { createEncryptor } from '../../../packages/auth/src/keys/encryption.ts';
import { readConfig } from '../src/config/settings.ts';
import { recordServiceSettings } from '../src/database/service-settings.ts';
import { openService, type Service } from '../src/service.ts';
import { writeBackupFile } from './support/backup-file.ts';
import { captureOutput } from './support/command-output.ts';
import { openTestDatabase, type Engine, type TestDatabase } from '@lanternrock/testing/engines';
import { runCommand } from './support/run-command.ts';

const SECRETS_KEY = randomBytes(32).toString('base64url');

const opened: TestDatabase[] = [];
const open = async (engine: Engine): Promise<TestDatabase> => {
  const test = await openTestDatabase(engine);
  opened.push(test);
  return test;
};
afterEach(async () => {
  for (const test of opened.splice(0)) await test.dispose();
});

async function fill(database: Database): Promise<void> {
  await database.query(
    sql`insert into auth.users (id, email, raw_user_meta_data, banned_until)
        values ('00000000-0000-4000-8000-000000000001', 'a@example.org', '{"full_name":"Ann \\n é 🚑"}', 'infinity')`,
  );
  await database.query(
    sql`insert into public.accounts (name, slug, account_type, created_by)
        select 'Account ' || n, 'account-' || n, 'enterprise', '00000000-0000-4000-8000-000000000001'
          from generate_series(1, 1203) n`,
  );
  await database.query(
    sql`insert into public.user_roles (user_id, role) values ('00000000-0000-4000-8000-000000000001', 'platform_admin')`,
  );
}

/** Returns all stored rows as text. */
async function content(database: Database): Promise<unknown> {
  return database.query(
    sql`select (select md5(string_agg(t::text, '|' order by t::text)) from auth.users t) as users,
               (select md5(string_agg(t::text, '|' order by t::text)) from public.accounts t) as accounts,
               (select md5(string_agg(t::text, '|' order by t::text)) from public.profiles t) as profiles,
               (select md5(string_agg(t::text, '|' order by t::text)) from private.audit_log t) as audit`,
  );
}

/** The content after a restore by the command, which adds an entry to the audit log. */
const withEntry = async (database: Database): Promise<unknown> => ({
  ...((await content(database)) as [object])[0],
  audit: expect.any(String),
});

describe('the restore command', () => {
  it('names the keys that would change and creates nothing, unless they were copied', async () => {
    const source = await open('embedded');
    const config = readConfig({ DATA_DIR: source.dataDir });
    const { keys } = await openService({ config, log: pino({ level: 'silent' }), database: source.database });
    // As a command without a running service, which needs no second engine for the copy.
    const output = { ...captureOutput(source.dataDir), inService: false };
    const service = { config, database: source.database } as Service;
    expect(await backupCommand.parse(['backup.gz']).run(service, output)).toBe(0);
    const file = path.join(source.dataDir, 'backup.gz');
    const target = path.join(source.dataDir, 'target');
    const targetConfig = readConfig({ DATA_DIR: target });
    expect(await runCommand(targetConfig, 'restore', file)).toEqual({
      code:
        'These keys will not be those of the backup: the publishable API key (ANON_KEY); the secret API key ' +
        '(SERVICE_ROLE_KEY); the signing keys (SIGNING_KEYS), which sign access tokens; the key of the audit log; SECRETS_KEY, which decrypts second factors. Nothing was restored. ' +
        `To keep them, copy the directory keys of the old instance to ${path.join(target, 'keys')} first. ` +
        'To restore with new keys, add --new-keys.',
      lines: [],
      problems: [],
    });
    expect(fs.existsSync(target)).toBe(false);
    const header = gunzipSync(fs.readFileSync(file)).toString().split('\n', 1)[0] ?? '';
    for (const key of [keys.anonKey, keys.serviceRoleKey]) expect(header).not.toContain(key);
    const targetKeys = path.join(target, 'keys');
    fs.cpSync(path.join(source.dataDir, 'keys'), targetKeys, { recursive: true });
    fs.rmSync(path.join(targetKeys, 'signing-keys.json'));
    expect((await runCommand(targetConfig, 'restore', file)).code).toMatch(
      /^These keys will not be those of the backup: the signing keys \(SIGNING_KEYS\), which sign access tokens\. Nothing/,
    );
    expect(fs.readdirSync(target)).toEqual(['keys']);
    fs.cpSync(inject('embeddedTemplates').product, target, { recursive: true });
    // Tokens of before are still accepted.
    await keys.rotate();
    fs.cpSync(path.join(source.dataDir, 'keys'), targetKeys, { recursive: true });
    expect(await runCommand(targetConfig, 'restore', file)).toMatchObject({
      code: 0,
      lines: [expect.stringMatching(/^Restored \d+ rows\.$/), expect.any(String)],
    });
  });

  it('names keys that the backup could not state, because it ran without the settings of the service', async () => {
    const { database, dataDir, url } = await open('postgres');
    const connection = { DATABASE_URL: url, DATA_DIR: dataDir };
    const [ANON_KEY, SERVICE_ROLE_KEY] = [1, 2].map(() => randomBytes(32).toString('base64url'));
    const service = readConfig({ ...connection, SECRETS_KEY, ANON_KEY, SERVICE_ROLE_KEY });
    await recordServiceSettings({
      config: service,
      database,
      keys: createEncryptor(Buffer.from(SECRETS_KEY, 'base64url')),
    });
    const target = readConfig({ DATA_DIR: path.join(dataDir, 'target'), SECRETS_KEY });
    const apiKeys = 'the publishable API key (ANON_KEY); the secret API key (SERVICE_ROLE_KEY)';
    const all =
      `${apiKeys}; the signing keys (SIGNING_KEYS), which sign access tokens; the key of the audit log; ` +
      'SECRETS_KEY, which decrypts second factors';
    for (const [settings, reason, unstated] of [
      [{ SECRETS_KEY }, 'The service runs with other values', apiKeys],
      [{}, 'The service runs with another SECRETS_KEY', all],
      [
        { SECRETS_KEY: randomBytes(32).toString('base64url') },
        'The service runs with another SECRETS_KEY',
        all,
      ],
    ] as const) {
      const file = path.join(dataDir, 'backup.gz');
      const written = await runCommand(readConfig({ ...connection, ...settings }), 'backup', file, '--force');
      expect(written).toMatchObject({
        code: 0,
        problems: [
          `The backup has no fingerprints of these keys: ${unstated}. ${reason}. A restore cannot compare them: ` +
            'run the command with the settings of the service, as in docs/operations.md, "Settings of a command".',
        ],
      });
      expect((await runCommand(target, 'restore', file)).code).toMatch(
        `The backup has no fingerprints of these keys: ${unstated}. Nothing was restored. `,
      );
      expect(fs.existsSync(target.DATA_DIR)).toBe(false);
    }
  });

  it('migrates an empty instance and names a missing key', { tags: ['OPS-23', 'OPS-24'] }, async () => {
    const source = await open('postgres');
    await fill(source.database);
    await source.database.query(
      sql`insert into auth.mfa_factors (user_id, factor_type, status, secret)
          values ('00000000-0000-4000-8000-000000000001', 'totp', 'verified', 'sealed with another key')`,
    );
    const file = path.join(source.dataDir, 'backup.gz');
    const rows = await writeBackupFile(source.database.snapshot, file);
    const { database, dataDir, url } = await open('postgres');
    await database.query(sql`delete from platform.migrations where name like 'platform/0001%'`);
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, SECRETS_KEY });
    expect(await runCommand(config, 'restore', file, '--new-keys')).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(/^These keys will not be those of the backup: /),
        `Restored ${rows} rows.`,
        expect.stringMatching(
          /^Second factors: 1 of 1 authenticator app cannot be decrypted with this key\. Restore /,
        ),
      ],
      problems: [],
    });
    expect(await content(database)).toEqual([await withEntry(source.database)]);
    expect(await database.query(sql`select from auth.service_secrets`)).toEqual([]);
    const [entry] = await database.query(
      sql`select action, table_name, origin, request_id from private.audit_log order by id desc limit 1`,
    );
    expect(entry).toEqual({
      action: 'backup_restored',
      table_name: 'operations',
      origin: 'command line',
      request_id: 'command line (ann)',
    });
  });
});
