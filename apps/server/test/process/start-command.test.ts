/** Operator messages of a failed start, and the command line beside a running service. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productEntry, runCommand, startInstance, type Instance } from '../../../../e2e/support/instance.ts';

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-start-'));
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }));

describe('a failed start', () => {
  it('reports a DATABASE_URL without a response', async () => {
    const { code, output } = await runCommand(['start'], {
      DATA_DIR: path.join(scratch, 'a'),
      PORT: '0',
      DATABASE_URL: 'postgres://unknown@127.0.0.1:1/none',
      SECRETS_KEY: randomBytes(32).toString('base64url'),
    });
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(output).toContain('DATABASE_URL');
  });

  it.each(['PORT', 'AUTH_PORT'])('reports a port in use: %s', async (name) => {
    const holder = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as net.AddressInfo;
    const { code, output } = await runCommand(['start'], {
      DATA_DIR: path.join(scratch, 'b'),
      PORT: '0',
      [name]: String(port),
    });
    holder.close();
    expect(code).toBe(1);
    expect(output).toBe(
      `Port ${port} is already in use. Run "lanternrock status" to see if the service is running, or set ${name} to another port.\n`,
    );
    // Nothing was created.
    expect(fs.existsSync(path.join(scratch, 'b'))).toBe(false);
  });

  // On Linux, root appears as the owner of /proc, where no file can be created.
  it.each([
    [path.join(scratch, 'file', 'below'), 'ENOTDIR'],
    ...(process.platform === 'linux' && process.geteuid?.() === 0
      ? [
          ['/proc', 'ENOENT'],
          ['/proc/none', 'ENOENT'],
        ]
      : []),
  ])('reports a directory without write permission: %s', async (directory, reason) => {
    fs.writeFileSync(path.join(scratch, 'file'), '');
    expect(await runCommand(['start'], { DATA_DIR: directory, PORT: '0' })).toEqual({
      code: 1,
      output: `Cannot write to DATA_DIR ${directory} (${reason}). Set DATA_DIR to another directory.\n`,
    });
  });

  it('reports every invalid setting, one per line', async () => {
    const { code, output } = await runCommand(['start'], { PORT: 'abc', RATE_LIMITS: 'maybe' });
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toEqual([
      'PORT must be a whole number from 0 to 65535, not "abc".',
      'RATE_LIMITS must be on or off, not "maybe".',
    ]);
  });
});

it('reads settings from a file, which must exist', async () => {
  const [file, data] = ['settings.env', 'from-file'].map((name) => path.join(scratch, name));
  const missing = await runCommand(['--settings', `${file}.none`, 'start'], {
    DATA_DIR: data ?? '',
    PORT: '0',
  });
  expect(missing).toEqual({
    code: 1,
    output: `The settings file ${file}.none does not exist. Nothing was started or changed.\n`,
  });
  fs.writeFileSync(file ?? '', 'PORT=abc\n');
  const invalid = await runCommand(['--settings', file ?? '', 'start'], { DATA_DIR: data ?? '' });
  expect([invalid.code, invalid.output]).toEqual([1, expect.stringContaining('PORT must be')]);
  expect(fs.existsSync(data ?? '')).toBe(false);
});

it.each<[string, string[], RegExp]>([
  ['the version', ['--version'], /^lanternrock \d+\.\d+\.\d+\n$/],
  ['the help', ['-h'], /^Usage: lanternrock \[--settings FILE\] COMMAND\n/],
  ['the help of a command', ['help', 'backup'], /^Usage: lanternrock backup FILE/],
  ['the help of start', ['start', '--help'], /^Usage: lanternrock start \[--demo\]\n/],
  ['the help of a command with arguments', ['keys', 'rotate', '-h'], /^Usage: lanternrock keys show\n/],
])('prints %s and creates nothing', async (_name, args, expected) => {
  const fresh = path.join(scratch, 'help');
  expect(await runCommand(args, { DATA_DIR: fresh })).toEqual({
    code: 0,
    output: expect.stringMatching(expected),
  });
  expect(fs.existsSync(fresh)).toBe(false);
});

it('a command exits silently when its output is closed early', async () => {
  const child = spawn(process.execPath, [productEntry, 'help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  child.stdout.destroy();
  expect([await text(child.stderr), await ended]).toEqual(['', [0, null]]);
});

it('runs the doctor command if the service cannot start', async () => {
  const unreachable = await runCommand(['doctor'], {
    DATA_DIR: path.join(scratch, 'c'),
    DATABASE_URL: 'postgres://unknown@127.0.0.1:1/none',
    SECRETS_KEY: randomBytes(32).toString('base64url'),
  });
  expect(unreachable.output).toContain('failed   database       The database of DATABASE_URL is unavailable');
  expect(unreachable.output).toContain('runtime');
  expect(unreachable.code).toBe(1);
});

it('reports a missing instance and creates nothing', async () => {
  const fresh = path.join(scratch, 'd');
  const none = `No database in ${fresh}. Set DATA_DIR to the directory of an instance, or run "lanternrock start" to create one.`;
  const doctor = await runCommand(['doctor'], { DATA_DIR: fresh });
  expect([doctor.code, doctor.output]).toEqual([1, expect.stringContaining(none)]);
  for (const args of [['status'], ['invite', 'ann@example.org', '--name', 'Ann Lee'], ['keys', 'rotate']]) {
    expect(await runCommand(args, { DATA_DIR: fresh }), args.join(' ')).toEqual({
      code: 1,
      output: `${none}\n`,
    });
  }
  expect(fs.existsSync(fresh)).toBe(false);
});

const junk = path.join(scratch, 'junk');

it.each<[string, string[], number, string]>([
  ['restore without a file', ['restore'], 2, 'Missing argument: FILE.'],
  [
    'restore of a missing file',
    ['restore', `${junk}.gz`],
    1,
    `File ${junk}.gz not found. Nothing was restored.`,
  ],
  [
    'restore of another file',
    ['restore', junk],
    1,
    `${junk} is not a backup of this product. Nothing was restored.`,
  ],
  ['demo with an unknown option', ['demo', '--bad'], 2, '--bad'],
])('rejects %s and creates nothing', async (_name, args, code, message) => {
  fs.writeFileSync(junk, 'no backup');
  const fresh = path.join(scratch, 'e');
  expect(await runCommand(args, { DATA_DIR: fresh })).toEqual({
    code,
    output: expect.stringContaining(message),
  });
  expect(fs.existsSync(fresh)).toBe(false);
});

/** The tests run in order on one instance, which the test of SIGTERM stops. */
describe('a second process on the same data directory', () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance();
  });
  afterAll(async () => instance.stop());

  const expectInUse = async (): Promise<void> =>
    expect(await runCommand(['start'], { DATA_DIR: instance.dataDir, PORT: '0' })).toEqual({
      code: 1,
      output: expect.stringContaining(`is in use by process ${instance.pid}.`),
    });
  /** Waits until the service has created deleted files again. */
  const expectFiles = async (files: readonly string[]): Promise<void> =>
    expect.poll(() => files.every((file) => fs.existsSync(file)), { timeout: 30_000 }).toBe(true);

  it('is rejected with the process ID of the owner', { tags: ['OPS-25'] }, () => expectInUse());

  it('is also rejected after the socket was deleted', { tags: ['OPS-25'] }, async () => {
    const socket = path.join(instance.dataDir, 'service.sock');
    fs.rmSync(socket);
    await expectInUse();
    await expectFiles([socket]);
  });

  it(
    'is also rejected after socket and lock were deleted, and the first process continues',
    { tags: ['OPS-25'] },
    async () => {
      const files = ['service.sock', 'service.lock'].map((name) => path.join(instance.dataDir, name));
      for (const file of files) fs.rmSync(file, { recursive: true });
      await expectInUse();
      await expectFiles(files);
      expect((await fetch(`${instance.url}/ready`)).status).toBe(200);
    },
  );

  it('has its commands executed by the running service', async () => {
    const { code, output } = await instance.command('status');
    expect(output).toContain(`service          running, process ${instance.pid}\n`);
    expect(code).toBe(0);
  });

  it('has the running service invite the users of a list from the directory of the command', async () => {
    const file = path.join(scratch, 'invitees.csv');
    fs.writeFileSync(file, 'email,name\nann@example.org,Ann Lee\n');
    const { code, output } = await instance.command('invite', '--csv', file);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/line 2 +ann@example\.org +invited\nDone: 1 invited\.\n/),
    ]);
    expect((await instance.mailTo('ann@example.org')).subject).toBe('You have been invited to Lanternrock');
    fs.writeFileSync(file, 'email\nann@example.org\n');
    const rejected = await instance.command('invite', '--csv', file);
    expect(rejected.code).toBe(2);
    expect(rejected.output.trim().split('\n')).toHaveLength(1);
  });

  it.skipIf(process.platform === 'win32' || !fs.existsSync('/bin/bash'))(
    'opens the files of a command in the client process, in its directory and mount namespace',
    async () => {
      const folder = fs.mkdtempSync(path.join(scratch, 'client-'));
      const file = 'name,type\nA Hut,organization\n';
      const fullMessage = 'Cannot write standard output (ENOSPC). The output is incomplete.';
      const script = [
        'umask 027; run() { "$NODE" "$ENTRY" "$@"; }',
        `run accounts import <(printf '${file}') --results results.csv`,
        `printf '${file.replace('A Hut', 'B Hut')}' | run accounts import -`,
        'run backup b.gz',
        'run backup - 2>message | gunzip -t && stat -c "%n %a" b.gz results.csv',
        'run accounts export - | tr -d "\\r" | cut -d, -f2',
        `if [ -e /dev/full ]; then run accounts list 2>&1 >/dev/full; else echo '${fullMessage}'; fi`,
      ].join('\n');
      // The directory of the client is not the one that the service sees, as with PrivateTmp= of systemd.
      const isRoot = process.platform === 'linux' && process.geteuid?.() === 0;
      const enter = isRoot ? ['unshare', '-m', 'bash', '-c'] : ['bash', '-c'];
      const mount = isRoot ? 'mount -t tmpfs t "$FOLDER"\n' : '';
      const [executable, ...args] = [...enter, `${mount}cd "$FOLDER"\n${script}\nls`];
      const child = spawn(executable, args, {
        env: {
          PATH: process.env['PATH'] ?? '',
          DATA_DIR: instance.dataDir,
          NODE: process.execPath,
          ENTRY: productEntry,
          FOLDER: folder,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
      expect([problems, output.trim().split('\n')]).toEqual([
        '',
        [
          expect.stringMatching(/undo-import [\da-f-]{36}$/),
          'Done: 1 created, 0 changed, 0 unchanged, 0 rejected.',
          expect.stringMatching(/undo-import [\da-f-]{36}$/),
          'Done: 1 created, 0 changed, 0 unchanged, 0 rejected.',
          expect.stringMatching(/^Wrote \d+ rows\./),
          'b.gz 600',
          'results.csv 640',
          'name',
          'B Hut',
          'A Hut',
          fullMessage,
          'b.gz',
          'message',
          'results.csv',
        ],
      ]);
    },
  );

  it('runs the doctor inside the service, with the database in use', async () => {
    const { code, output } = await instance.command('doctor');
    expect(output).toContain('ok       database       embedded Postgres');
    expect(output).toMatch(/\d+ ok, \d+ warnings, 0 failed/);
    expect(code).toBe(0);
  });

  it('exits with code 0 on SIGTERM and opens again', { tags: ['REL-18'] }, async () => {
    await instance.kill('SIGTERM');
    const { code, output } = await instance.command('status');
    expect(code).toBe(0);
    // The output contains no log lines of a start.
    expect(output).toMatch(
      /^version .*\ndatabase .*\ndata .*\nservice {10}not running\nmailbox .*\naccounts /,
    );
    const doctor = await instance.command('doctor');
    expect(doctor.output).toContain('ok       migrations     up to date');
    expect(doctor.code).toBe(0);
    expect(await instance.command('admins', 'sign-out', 'unknown@example.org')).toEqual({
      code: 1,
      output: 'No user has the email unknown@example.org.\n',
    });
  });

  it('continues a list without a service where the service stopped', async () => {
    const file = path.join(scratch, 'more.csv');
    fs.writeFileSync(file, 'email,name\nann@example.org,Ann Lee\nbo@example.org,Bo Ek\n');
    const { code, output } = await instance.command('invite', '--csv', file);
    expect([code, output]).toEqual([0, expect.stringContaining('Done: 1 invited, 1 pending.')]);
    expect((await instance.mailTo('bo@example.org')).subject).toBe('You have been invited to Lanternrock');
  });
});
