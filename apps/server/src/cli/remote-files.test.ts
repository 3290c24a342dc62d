/** Tests of the files of a command, directly and through messages as the control socket sends them. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWhole, writeFile, type CommandFiles } from './command-files.ts';
import { createLocalFiles } from './local-files.ts';
import { accountsCommand } from './commands/accounts.ts';
import { createFileServer, createRemoteFiles, type RemoteFiles } from './remote-files.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-files-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const inFolder = (name: string): string => path.join(folder, name);

/** Returns the files of a command as the service sees them. */
function connect(
  args: readonly string[],
  {
    local = createLocalFiles(folder),
    writable = args.map((arg) => arg.replace('--results=', '')),
  }: { local?: CommandFiles; writable?: readonly string[] } = {},
) {
  const server = createFileServer(local, args, writable);
  const sizes: number[] = [];
  const remote: RemoteFiles = createRemoteFiles((call) => {
    const line = JSON.stringify(call);
    sizes.push(line.length);
    void server.execute(JSON.parse(line) as never).then((result) => {
      sizes.push(JSON.stringify(result).length);
      remote.receive(JSON.parse(JSON.stringify(result)) as never);
    });
  });
  return { remote, server, sizes };
}

const large = Buffer.alloc(1_000_003, 'Zürich, ');

describe.each<[string, (...args: string[]) => CommandFiles]>([
  ['directly', () => createLocalFiles(folder)],
  ['through a socket', (...args) => connect(args).remote],
])('files of a command %s', (_name, open) => {
  it('are written and read, with the mode of the umask or private', async () => {
    const files = open('a', '--results=b', '--force');
    const write = async (name: string, isPrivate: boolean, replace = false): Promise<string> =>
      writeFile(files, name, { replace, private: isPrivate }, (stream) =>
        pipeline(Readable.from([large.subarray(0, 5), large.subarray(5)]), stream),
      );
    expect(await write('a', true)).toBe(inFolder('a'));
    expect(await write('b', false)).toBe(inFolder('b'));
    expect(fs.readFileSync(inFolder('a')).equals(large)).toBe(true);
    expect((await readWhole(await files.open('b'), 2_000_000))?.equals(large)).toBe(true);
    expect(await readWhole(await files.open('b'), 1_000_000)).toBeNull();
    const modeOf = (name: string): number => fs.statSync(inFolder(name)).mode & 0o777;
    fs.writeFileSync(inFolder('plain'), '');
    expect([modeOf('a'), modeOf('b')]).toEqual([0o600, modeOf('plain')]);
    fs.rmSync(inFolder('plain'));
    await expect(write('a', true)).rejects.toThrow(
      `${inFolder('a')} already exists. Use --force to overwrite it.`,
    );
    fs.chmodSync(inFolder('b'), 0o640);
    await write('b', false, true);
    expect(fs.statSync(inFolder('b')).mode & 0o777).toBe(0o640);
    expect(fs.readdirSync(folder).sort()).toEqual(['a', 'b']);
  });

  it('keep an existing file and leave nothing after a failure', async () => {
    fs.writeFileSync(inFolder('a'), 'mine');
    const failing = writeFile(open('a', '--force'), 'a', { replace: true, private: true }, async (stream) => {
      stream.write(large);
      throw new Error('no more rows');
    });
    await expect(failing).rejects.toThrow('no more rows');
    expect(fs.readdirSync(folder)).toEqual(['a']);
    expect(fs.readFileSync(inFolder('a'), 'utf8')).toBe('mine');
  });

  it('keep an incomplete file with `partial`, and replace no file without --force', async () => {
    const create = (replace: boolean) =>
      open('a', '--force').create('a', { replace, private: false, partial: true });
    const target = await create(false);
    await target.write(Buffer.from('first batch'));
    await target.discard();
    expect(fs.readFileSync(inFolder('a'), 'utf8')).toBe('first batch');
    await expect(create(false)).rejects.toThrow('already exists. Use --force to overwrite it.');
    expect(fs.readFileSync(inFolder('a'), 'utf8')).toBe('first batch');
    const again = await create(true);
    await again.write(Buffer.from('second'));
    await again.finish();
    await again.discard();
    expect(fs.readFileSync(inFolder('a'), 'utf8')).toBe('second');
  });

  it.skipIf(!fs.existsSync('/dev/full'))('report a full disk', async () => {
    const full = writeFile(open('/dev/full'), '/dev/full', { replace: false, private: true }, (stream) =>
      pipeline(Readable.from([large]), stream),
    );
    await expect(full).rejects.toThrow('Cannot write /dev/full (ENOSPC). The output is incomplete.');
  });

  it.each([
    ['none', 'ENOENT'],
    ['.', 'EISDIR'],
  ])('report that %s cannot be read', async (name, code) => {
    await expect(open(name).open(name)).rejects.toThrow(
      `${path.resolve(folder, name)} cannot be read (${code}).`,
    );
  });

  it.each([
    ['none/a', 'Cannot write %s (ENOENT). The file was not saved.'],
    ['.', '%s is a directory. Specify a file.'],
    ['x'.repeat(300), 'Cannot write %s (ENAMETOOLONG). The file was not saved.'],
  ])('report that %.10s cannot be written', async (name, message) => {
    await expect(open(name).create(name, { replace: true, private: true })).rejects.toThrow(
      message.replace('%s', path.resolve(folder, name)),
    );
  });

  it('follow a symbolic link, and leave it', async () => {
    fs.writeFileSync(inFolder('a'), 'old');
    fs.symlinkSync('a', inFolder('latest'));
    await writeFile(open('latest', '--force'), 'latest', { replace: true, private: false }, (stream) =>
      pipeline(Readable.from(['new']), stream),
    );
    expect(fs.readFileSync(inFolder('a'), 'utf8')).toBe('new');
    expect(fs.lstatSync(inFolder('latest')).isSymbolicLink()).toBe(true);
  });

  it('expand the tilde that a shell leaves in an option', async () => {
    await expect(open('--results=~/none/a').open('~/none/a')).rejects.toThrow(
      path.join(os.homedir(), 'none/a'),
    );
  });
});

it('reads standard input, and a second time if asked', async () => {
  const stdin = Readable.from([large.subarray(0, 100), large.subarray(100)]);
  const written: Buffer[] = [];
  const stdout = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written.push(chunk);
      done();
    },
  });
  const { remote } = connect([], { local: createLocalFiles(folder, { stdin, stdout }) });
  for (let round = 0; round < 2; round += 1) {
    const read = await readWhole(await remote.open('-', { again: true }), 2_000_000);
    expect(read?.equals(large)).toBe(true);
  }
  await writeFile(remote, '-', { replace: false, private: true }, (stream) =>
    pipeline(Readable.from([large]), stream),
  );
  expect(Buffer.concat(written).equals(large)).toBe(true);
  expect(stdout.writableEnded).toBe(false);
});

it('sends small messages, the next one after the answer', async () => {
  const { remote, sizes } = connect(['a']);
  await writeFile(remote, 'a', { replace: false, private: true }, (stream) =>
    pipeline(Readable.from([large]), stream),
  );
  await readWhole(await remote.open('a'), 2_000_000);
  expect(Math.max(...sizes)).toBeLessThan(100_000);
});

it.each(['/etc/passwd', '../a', 'force'])('lets the service name only typed files, not %s', async (name) => {
  const { remote } = connect(['a', '--force', '--results=b']);
  await expect(remote.open(name)).rejects.toThrow('does not name');
  await expect(remote.create(name, { replace: true, private: true })).rejects.toThrow('does not name');
  expect(fs.readdirSync(folder)).toEqual([]);
});

it('lets the service write only files that the command writes, over others only with --force', async () => {
  fs.writeFileSync(inFolder('a'), 'mine');
  const reading = connect(['a', '--force'], { writable: [] }).remote;
  await expect(reading.create('a', { replace: true, private: false })).rejects.toThrow('does not name');
  const careful = connect(['a']).remote;
  await expect(careful.create('a', { replace: true, private: false })).rejects.toThrow('already exists');
  expect(fs.readFileSync(inFolder('a'), 'utf8')).toBe('mine');
  const written = accountsCommand.parse(['import', 'a', '--results', 'b']).writableFiles;
  expect(written).toEqual(['b']);
  const results = await connect(['a', '--results', 'b'], { writable: written ?? [] }).remote.create('b', {
    replace: false,
    private: false,
  });
  await results.finish();
  expect(fs.readdirSync(folder).sort()).toEqual(['a', 'b']);
});

it('hides a file that it replaces from other users until it is complete', async () => {
  fs.writeFileSync(inFolder('a'), 'mine', { mode: 0o600 });
  const target = await createLocalFiles(folder).create('a', { replace: true, private: false });
  const modes = fs.readdirSync(folder).map((name) => fs.statSync(inFolder(name)).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600]);
  await target.discard();
});

it('removes an incomplete file when the service stops', async () => {
  const { remote, server } = connect(['a']);
  const target = await remote.create('a', { replace: false, private: true });
  await target.write(large);
  await server.close();
  expect(fs.readdirSync(folder)).toEqual([]);
});

it('fails waiting and later calls when the client ends', async () => {
  const stdio = { stdin: new PassThrough(), stdout: new PassThrough() };
  const { remote } = connect([], { local: createLocalFiles(folder, stdio) });
  const source = await remote.open('-');
  const waiting = source.read();
  remote.disconnect();
  await expect(waiting).rejects.toThrow('The process that started the command has ended.');
  await expect(remote.open('-')).rejects.toThrow('The process that started the command has ended.');
});
