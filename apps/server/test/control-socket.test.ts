/** The control socket in the data directory of an embedded database. */
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendCommand } from '../src/cli/command-server.ts';
import {
  commandProtocol,
  connectToService,
  toControlSocketPath,
  findService,
  openControlSocket,
} from '../src/database/control-socket.ts';
import { captureOutput } from './support/command-output.ts';

let dataDir: string;
let file: string;

beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-control-'));
  file = toControlSocketPath(dataDir);
});
afterEach(() => fs.rmSync(dataDir, { recursive: true, force: true }));

it('names the process that listens, also before it serves', async () => {
  const control = await openControlSocket(dataDir);
  expect(await findService(dataDir)).toBe(`process ${process.pid}`);
  await control.close();
  expect(await findService(dataDir)).toBeNull();
});

it.each(['hello', 'null', '{"pid":"x"}'])('finds an unknown process that sends %s', async (line) => {
  const server = net.createServer((socket) => socket.end(`${line}\n`));
  await new Promise<void>((resolve) => server.listen(file, resolve));
  expect(await findService(dataDir)).toBe('another process');
  await new Promise((resolve) => server.close(resolve));
});

it('reports a service that stopped in the middle of a line', async () => {
  const greeting = JSON.stringify({ pid: 1, protocol: commandProtocol });
  const server = net.createServer((socket) => {
    socket.write(`${greeting}\n`);
    socket.once('data', () => socket.end('{"line":"first"}\n{"line":"sec'));
  });
  await new Promise<void>((resolve) => server.listen(file, resolve));
  const output = captureOutput(dataDir);
  expect(await sendCommand(net.connect(file), 'status', [], output)).toBe(1);
  expect(output.all).toEqual(['first', 'The service stopped before the command was complete.']);
  await new Promise((resolve) => server.close(resolve));
});

it('finds an unknown process that sends nothing', async () => {
  const server = net.createServer((socket) => socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => server.listen(file, resolve));
  expect(await findService(dataDir)).toBe('another process');
  await new Promise((resolve) => server.close(resolve));
});

it('reports why the service cannot be determined', async () => {
  const notDirectory = path.join(dataDir, 'a file');
  fs.writeFileSync(notDirectory, '');
  await expect(connectToService(notDirectory)).rejects.toThrow(
    `DATA_DIR ${notDirectory} cannot be opened (ENOTDIR). It is not a directory.`,
  );
  expect(await connectToService(path.join(dataDir, 'nowhere'))).toBeNull();
});

it('closes while an idle client is connected', async () => {
  const control = await openControlSocket(dataDir);
  const client = net.connect(file).resume();
  const ended = once(client, 'close');
  await new Promise<void>((resolve) => control.serve(() => resolve()));
  await control.close();
  await ended;
  await (await openControlSocket(dataDir)).close();
});

it('responds to clients that connect before it serves, and tolerates those that disconnect', async () => {
  const control = await openControlSocket(dataDir);
  const [early, disconnected] = [net.connect(file), net.connect(file)];
  early.write('status\n');
  disconnected.write('status\n');
  await Promise.all([once(early, 'data'), once(disconnected, 'data')]);
  disconnected.destroy();
  await once(disconnected, 'close');
  const response = once(early, 'data');
  control.serve((socket) => socket.on('data', (command) => socket.write(`received ${String(command)}`)));
  expect(String((await response)[0])).toBe('received status\n');
  await control.close();
});

it('replaces the socket of a killed process', { tags: ['OPS-25'] }, async () => {
  const first = await openControlSocket(dataDir);
  // A killed process does not remove its socket file. Closing does, so a hard link restores it.
  fs.linkSync(file, `${file}.left`);
  await first.close();
  fs.renameSync(`${file}.left`, file);
  await (await openControlSocket(dataDir)).close();
});

it('restores a deleted socket', { tags: ['OPS-25'] }, async () => {
  const control = await openControlSocket(dataDir);
  fs.rmSync(file);
  expect(await findService(dataDir)).toBeNull();
  await control.renew();
  expect(await findService(dataDir)).toBe(`process ${process.pid}`);
  await control.close();
  expect(fs.existsSync(file)).toBe(false);
});

it('restores a socket after an attempt failed', { tags: ['OPS-25'] }, async () => {
  const control = await openControlSocket(dataDir);
  fs.renameSync(dataDir, `${dataDir}-moved`);
  await expect(control.renew()).rejects.toThrow('listen');
  fs.renameSync(`${dataDir}-moved`, dataDir);
  await control.renew();
  expect(await findService(dataDir)).toBe(`process ${process.pid}`);
  await control.close();
});

it('is accessible to its user only', { tags: ['OPS-01'] }, async () => {
  const control = await openControlSocket(dataDir);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  await control.close();
});
