/** The timers of the service: every repeated work, with a database of ours and with an unmanaged one. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, afterEach, expect, inject, it, vi } from 'vitest';
import { onServer, openTestDatabase } from '@lanternrock/testing/engines';
import { createBackgroundWork } from '../src/background-work.ts';
import { readConfig } from '../src/config/settings.ts';
import { openService } from '../src/service.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const silent = pino({ level: 'silent' });
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-timers-'));

afterEach(() => vi.restoreAllMocks());
afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));

/** Records each repeated timer as the file that starts it and its interval in milliseconds. */
function recordTimers(): string[] {
  const started: string[] = [];
  const original = globalThis.setInterval;
  vi.spyOn(globalThis, 'setInterval').mockImplementation(((...args: Parameters<typeof setInterval>) => {
    const caller = new Error().stack?.split('\n').find((line) => /\/src\/[\w/-]+\.ts/.test(line)) ?? '';
    started.push(`${/((?:apps|packages)\/\S+\.ts)/.exec(caller)?.[1] ?? caller} ${args[1]}`);
    return original(...args);
  }) as typeof setInterval);
  return started;
}

it('starts no work when the service is opened, and all of it in one place', async () => {
  const { database, dataDir, dispose } = await openTestDatabase('postgres');
  const timers = recordTimers();
  const config = readConfig({ DATA_DIR: dataDir, SECRETS_KEY: randomBytes(32).toString('base64url') });
  const service = await openService({ config, log: silent, database });
  expect(timers).toEqual([]);
  service.background.start();
  const hourMs = 3_600_000;
  expect(timers).toEqual(
    [15_000, 5000, 15_000, 15_000, hourMs, hourMs, hourMs, hourMs, hourMs].map(
      (intervalMs) => `apps/server/src/background-work.ts ${intervalMs}`,
    ),
  );
  await service.close();
  await dispose();
});

it('starts no background work on an unmanaged database', async () => {
  const { ownerUrl } = inject('postgres');
  await onServer(ownerUrl, 'create database timers_of_others');
  const url = new URL(ownerUrl);
  url.pathname = '/timers_of_others';
  const timers = recordTimers();
  const config = readConfig({ DATA_DIR: directory, DATABASE_URL: url.href, MIGRATE: 'off' });
  const service = await openService({ config, log: silent });
  service.background.start();
  await service.close();
  // Acts only while a request waits for the server.
  expect(timers).toEqual(['packages/postgres/src/address-watch.ts 1000']);
  await onServer(ownerUrl, 'drop database timers_of_others with (force)');
});

it('has no other repeated timers', () => {
  const sources = [
    'apps/server/src',
    'packages/auth/src',
    'packages/postgres/src',
    'packages/rest/src',
  ].flatMap((root) =>
    fs
      .readdirSync(path.join(repository, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => `${root}/${name}`),
  );
  const files = sources.filter((file) =>
    fs.readFileSync(path.join(repository, file), 'utf8').includes('setInterval('),
  );
  expect(files.sort()).toEqual([
    'apps/server/src/background-work.ts',
    // Shows other processes that this one owns the data directory.
    'apps/server/src/database/control-socket.ts',
    // Finds another primary while work waits for one that does not answer.
    'packages/postgres/src/address-watch.ts',
    'packages/postgres/src/embedded/directory-lock.ts',
    // Vacuum and checkpoints, which a Postgres server runs itself.
    'packages/postgres/src/embedded/upkeep.ts',
    // Reads the catalog again, behind a pooler that delivers no notifications.
    'packages/rest/src/schema/schema-cache-manager.ts',
  ]);
});

it('repeats a job after a failure, and never runs it twice at the same time', async () => {
  vi.useFakeTimers();
  let running = 0;
  const outcomes: string[] = [];
  const finish: (() => void)[] = [];
  const run = async (): Promise<void> => {
    running += 1;
    outcomes.push(`run ${running}`);
    await new Promise<void>((resolve) => finish.push(resolve));
    running -= 1;
    if (outcomes.length === 1) throw new Error('the database is away');
  };
  const work = createBackgroundWork([{ name: 'test', intervalMs: 100, atStart: true, run }], silent);
  work.start();
  await vi.advanceTimersByTimeAsync(350);
  expect(outcomes).toEqual(['run 1']);
  finish.shift()?.();
  await vi.advanceTimersByTimeAsync(100);
  expect(outcomes).toEqual(['run 1', 'run 1']);
  const closed = work.close();
  finish.shift()?.();
  await closed;
  await vi.advanceTimersByTimeAsync(1000);
  expect(outcomes).toHaveLength(2);
  vi.useRealTimers();
});
