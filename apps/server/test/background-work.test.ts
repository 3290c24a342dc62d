/** The timers of the service: every repeated work, with a database of ours and with an unmanaged one. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterEach, expect, inject, it, vi } from 'vitest';
import { onServer } from '@lanternrock/testing/engines';
import { createBackgroundWork } from '../src/background-work.ts';
import { readConfig } from '../src/config/settings.ts';
import { openService, type Service } from '../src/service.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const silent = pino({ level: 'silent' });
const directories: string[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  for (const directory of directories.splice(0)) fs.rmSync(directory, { recursive: true, force: true });
});

const temporaryDirectory = (): string => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-timers-'));
  directories.push(directory);
  return directory;
};

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

async function withService(settings: Record<string, string>, use: (service: Service) => void): Promise<void> {
  const config = readConfig({ DATA_DIR: temporaryDirectory(), ...settings });
  const service = await openService({ config, log: silent });
  try {
    use(service);
  } finally {
    await service.close();
  }
}

/** Those of the embedded database: the owner of the directory, its socket, vacuum and checkpoints. */
const ownTimers = [
  'apps/server/src/database/control-socket.ts 2000',
  'packages/postgres/src/embedded/directory-lock.ts 2000',
  'packages/postgres/src/embedded/upkeep.ts 1000',
];
const backgroundWork = [15_000, 5000, 15_000, 3_600_000].map(
  (intervalMs) => `apps/server/src/background-work.ts ${intervalMs}`,
);

it('starts no work when the service is opened, and all of it in one place', async () => {
  const timers = recordTimers();
  const directory = temporaryDirectory();
  fs.cpSync(inject('embeddedTemplates').product, path.join(directory, 'database'), { recursive: true });
  await withService({ DATA_DIR: directory }, ({ background }) => {
    expect(timers.sort()).toEqual(ownTimers);
    background.start();
    expect(timers.slice(ownTimers.length)).toEqual(backgroundWork);
  });
});

it('starts no work on an unmanaged database', async () => {
  const { ownerUrl } = inject('postgres');
  await onServer(ownerUrl, 'create database timers_of_others');
  const url = new URL(ownerUrl);
  url.pathname = '/timers_of_others';
  const timers = recordTimers();
  await withService({ DATABASE_URL: url.href, MIGRATE: 'off' }, ({ background }) => background.start());
  expect(timers).toEqual([]);
  await onServer(ownerUrl, 'drop database timers_of_others with (force)');
});

it('has no other repeated timers', () => {
  const sources = [
    'apps/server/src',
    'packages/auth/src',
    'packages/postgres/src',
    'packages/rest/src',
  ].flatMap((directory) =>
    fs
      .readdirSync(path.join(repository, directory), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => `${directory}/${name}`),
  );
  const files = sources.filter((file) =>
    fs.readFileSync(path.join(repository, file), 'utf8').includes('setInterval('),
  );
  expect(files.sort()).toEqual([
    'apps/server/src/background-work.ts',
    // Shows other processes that this one owns the data directory.
    'apps/server/src/database/control-socket.ts',
    // Closes idle connections while the server drains.
    'apps/server/src/http/http-server.ts',
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
