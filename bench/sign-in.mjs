/**
 * Measures how 50 users who sign in concurrently for 20 s affect reads, and whether the response time reveals
 * if an email address is known. Run `npm run build`, then `npm run bench -- sign-in`.
 */
import { load } from './server/load.mjs';
import { residentMemory } from './server/instance.mjs';
import { describeMachine, openFixture, fillAccounts, median, signInRequest } from './server/fixture.mjs';
import { mannWhitney } from './server/mann-whitney.mjs';

const seconds = Number(process.env.SECONDS ?? 20);
const pairs = Number(process.env.PAIRS ?? 200);
const fixture = await openFixture();

/**
 * Sends one known and one unknown email address in turns, one request at a time.
 * @returns milliseconds of each
 */
async function timings(path, createBody) {
  const times = { known: [], unknown: [] };
  for (let round = 0; round < pairs; round += 1) {
    const order = round % 2 === 0 ? ['known', 'unknown'] : ['unknown', 'known'];
    for (const kind of order) {
      const email = kind === 'known' ? fixture.email : `unknown-${round}@example.org`;
      const start = performance.now();
      const response = await fixture.post(path, createBody(email));
      await response.text();
      times[kind].push(performance.now() - start);
    }
  }
  return {
    endpoint: path.split('?')[0],
    pairs,
    'known ms': median(times.known).toFixed(1),
    'unknown ms': median(times.unknown).toFixed(1),
    'Mann-Whitney p': mannWhitney(times.known, times.unknown).toFixed(3),
  };
}

try {
  await fillAccounts(fixture, 1000);
  console.log(describeMachine());
  const read = {
    url: `${fixture.url}/rest/v1/accounts?limit=10`,
    headers: { Authorization: `Bearer ${fixture.token}`, apikey: fixture.anonKey },
    connections: 1,
    seconds,
  };
  const storm = { ...signInRequest(fixture), connections: 50, seconds };
  const memory = [residentMemory(fixture.pid)];
  const idle = await load(read);
  const [busy, signIns] = await Promise.all([load(read), load(storm)]);
  memory.push(residentMemory(fixture.pid));
  const row = (name, one) => ({
    '': name,
    'requests/s': one.rate,
    'p50 ms': one.p50,
    'p99 ms': one.p99,
    failures: one.failures,
  });
  console.table([row('reads only', idle), row('reads during sign-ins', busy), row('sign-ins', signIns)]);
  console.log(
    `p99 of reads grows ${(busy.p99 / idle.p99).toFixed(1)} times; memory ${memory.join(' -> ')} MiB`,
  );
  console.table([
    await timings('/auth/v1/token?grant_type=password', (email) => ({
      email,
      password: 'a wrong password 1',
    })),
    await timings('/auth/v1/recover', (email) => ({ email })),
  ]);
  console.log(describeMachine());
} finally {
  await fixture.stop();
}
