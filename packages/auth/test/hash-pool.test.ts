import bcrypt from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { findChildProcesses } from '@lanternrock/testing/child-processes';
import { hashWorker as workerFile } from '@lanternrock/testing/paths';
import { HashAbortedError } from '../src/passwords/hash-pool.ts';
import { createHasher } from '../src/passwords/hasher.ts';

describe('the hash pool', () => {
  const log = { warn: () => {} } as unknown as Parameters<typeof createHasher>[0]['log'];

  const quick = bcrypt.hashSync('a fine password', 4);

  it('hashes and verifies, and treats a missing or invalid hash as a wrong password', async () => {
    const hasher = createHasher({ workerFile, log, processes: 1, timeoutMs: 60_000 });
    const hash = await hasher.hash('a fine password', '');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.verify('a fine password', hash, '')).toEqual({ ok: true, needsRehash: false });
    expect(await hasher.verify('a fine passworD', hash, '')).toEqual({ ok: false, needsRehash: false });
    expect(await hasher.verify('a fine password', null, '')).toEqual({ ok: false, needsRehash: false });
    expect(await hasher.verify('a fine password', 'no hash at all', '')).toEqual({
      ok: false,
      needsRehash: false,
    });
    hasher.close();
  });

  it('verifies every Unicode form of a password, with a number of jobs that depends on the password only', async () => {
    let jobs = 0;
    const onResult = (): void => void (jobs += 1);
    const hasher = createHasher({ workerFile, log, processes: 1, timeoutMs: 60_000, onResult });
    const jobsOf = async (password: string, hash: string | null): Promise<number> => {
      const before = jobs;
      await hasher.verify(password, hash, '');
      return jobs - before;
    };
    for (const text of [
      'Bergführer-Zürich-1',
      '\u212bngstrom unit 1',
      'Ｌａｎｔｅｒｎ １２３４５',
      'ﬁre station oﬃce',
      '\u1e9b\u0323 long s with dots',
      '한국 구조대 사무소',
    ]) {
      const forms = [
        ...new Set([text, text.normalize('NFC'), text.normalize('NFD'), text.normalize('NFKC')]),
      ];
      const hash = await hasher.hash(forms.at(-2) ?? text, '');
      for (const form of forms) {
        expect(await hasher.verify(form, hash, ''), JSON.stringify(form)).toEqual({
          ok: true,
          needsRehash: false,
        });
        const wrong = `${form}!`;
        const expected = wrong === wrong.normalize('NFKC') ? 1 : 2;
        expect([await jobsOf(wrong, hash), await jobsOf(wrong, null)]).toEqual([expected, expected]);
      }
    }
    hasher.close();
  });

  it('rejects jobs with 503 when the queue is full', { tags: ['AUTH-55'] }, async () => {
    const hasher = createHasher({ workerFile, log, processes: 1, timeoutMs: 60_000 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 220 }, () => hasher.verify('x', quick, '')),
    );
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected[0]?.reason).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
    hasher.close();
  });

  it('rejects jobs that exceed the wait limit and continues to work', { tags: ['AUTH-55'] }, async () => {
    const hasher = createHasher({ workerFile, log, processes: 1, timeoutMs: 200 });
    await hasher.hash('warm up', '').catch(() => '');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 150 }, () => hasher.verify('x', null, '')),
    );
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected[0]?.reason).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
    expect(hasher.waiting()).toBe(0);
    await expect.poll(() => hasher.verify('x', null, '').catch(() => null)).toMatchObject({ ok: false });
    hasher.close();
  });

  it('recovers after its process is killed', async () => {
    const killed: number[] = [];
    const watching = {
      warn: (fields: { pid: number }) => void killed.push(fields.pid),
    } as unknown as typeof log;
    const hasher = createHasher({ workerFile, log: watching, processes: 1, timeoutMs: 60_000 });
    await hasher.hash('warm up', '');
    for (const pid of findChildProcesses('hash-worker')) process.kill(pid, 'SIGKILL');
    expect(await hasher.hash('a fine password', '')).toMatch(/^\$argon2id/);
    expect(killed.length).toBeGreaterThan(0);
    hasher.close();
  });

  it(
    'replaces a process that hangs and aborts its started jobs without running them again',
    { tags: ['AUTH-55'] },
    async () => {
      const before = findChildProcesses('hash-worker');
      const hasher = createHasher({ workerFile, log, processes: 1, timeoutMs: 500 });
      const works = () => hasher.verify('a fine password', quick, '').catch(() => null);
      await expect.poll(works).toMatchObject({ ok: true });
      const hung = findChildProcesses('hash-worker').filter((pid) => !before.includes(pid));
      for (const pid of hung) process.kill(pid, 'SIGSTOP');
      await expect(hasher.verify('a fine password', quick, '')).rejects.toBeInstanceOf(HashAbortedError);
      expect(hasher.waiting()).toBe(0);
      await expect.poll(works).toMatchObject({ ok: true });
      const now = findChildProcesses('hash-worker');
      expect(hung.filter((pid) => now.includes(pid))).toEqual([]);
      hasher.close();
    },
  );

  it(
    'rejects jobs while its process cannot start, and recovers without a restart of the service',
    { tags: ['AUTH-55'] },
    async () => {
      const node = process.execPath;
      const hasher = createHasher({ workerFile, log, processes: 1, timeoutMs: 60_000 });
      try {
        process.execPath = '/nowhere';
        const jobs = [hasher.hash('a fine password', ''), hasher.verify('x', null, '')];
        const [first, second] = await Promise.allSettled(jobs);
        const busy = { status: 503, headers: { 'Retry-After': '5' } };
        expect([first, second]).toMatchObject([{ reason: busy }, { reason: busy }]);
        await expect(hasher.hash('a fine password', '')).rejects.toMatchObject(busy);
      } finally {
        process.execPath = node;
      }
      await expect.poll(() => hasher.hash('a fine password', '').catch(() => '')).toMatch(/^\$argon2id/);
      hasher.close();
    },
  );

  it(
    'limits each client to its share of the queue and prefers other clients',
    { tags: ['AUTH-55'] },
    async () => {
      const hasher = createHasher({ workerFile, log, processes: 1, timeoutMs: 60_000 });
      const done: string[] = [];
      const verifyFor = async (client: string) => {
        await hasher.verify('a fine password', quick, client);
        done.push(client);
      };
      const flood = Promise.allSettled(Array.from({ length: 90 }, () => verifyFor('flood')));
      await Promise.all([verifyFor('other'), verifyFor('third')]);
      expect(done.length).toBeLessThan(6);
      const rejected = (await flood).filter(({ status }) => status === 'rejected');
      expect(rejected).toHaveLength(40);
      expect(rejected[0]).toMatchObject({ reason: { status: 503, headers: { 'Retry-After': '5' } } });
      hasher.close();
    },
  );

  it('starts its process before the first password after prepare()', async () => {
    const before = findChildProcesses('hash-worker');
    const hasher = createHasher({ workerFile, log, processes: 1, timeoutMs: 60_000 });
    hasher.prepare();
    hasher.prepare();
    expect(findChildProcesses('hash-worker').filter((pid) => !before.includes(pid))).toHaveLength(1);
    hasher.close();
  });
});
