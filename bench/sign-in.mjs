/**
 * Measures how 50 users who sign in concurrently for 20 s affect reads, and whether the response time reveals
 * if an email address is known. Run `npm run build`, then `npm run bench:sign-in`.
 */
import { load } from './server/load.mjs';
import { residentMemory } from './server/instance.mjs';
import { describeMachine, openFixture, fillAccounts, median, signInRequest } from './server/fixture.mjs';
import { mannWhitney } from './server/mann-whitney.mjs';

const seconds = Number(process.env.SECONDS ?? 20);
const pairs = Number(process.env.PAIRS ?? 200);
const stand = await openFixture();

/**
 * Sends one known and one unknown email address in turns, one request at a time.
 * @returns milliseconds of each
 */
async function timings(address, bodyOf) {
  const times = { known: [], unknown: [] };
  for (let round = 0; round < pairs; round += 1) {
    const order = round % 2 === 0 ? ['known', 'unknown'] : ['unknown', 'known'];
    for (const who of order) {
      const email = who === 'known' ? stand.email : `nobody-${round}@example.org`;
      const start = performance.now();
      const answer = await stand.post(address, bodyOf(email));
      await answer.text();
      times[who].push(performance.now() - start);
    }
  }
  return {
    act: address.split('?')[0],
    pairs,
    'known ms': median(times.known).toFixed(1),
    'unknown ms': median(times.unknown).toFixed(1),
    'Mann-Whitney p': mannWhitney(times.known, times.unknown).toFixed(3),
  };
}

try {
  await fillAccounts(stand, 1000);
  console.log(describeMachine());
  const read = {
    url: `${stand.url}/rest/v1/accounts?limit=10`,
    headers: { Authorization: `Bearer ${stand.token}`, apikey: stand.anonKey },
    connections: 1,
    seconds,
  };
  const storm = { ...signInRequest(stand), connections: 50, seconds };
  const memory = [residentMemory(stand.pid)];
  const idle = await load(read);
  const [busy, signIns] = await Promise.all([load(read), load(storm)]);
  memory.push(residentMemory(stand.pid));
  const row = (name, one) => ({
    '': name,
    'requests/s': one.rate,
    'p50 ms': one.p50,
    'p99 ms': one.p99,
    failures: one.failures,
  });
  console.table([row('reads alone', idle), row('reads meanwhile', busy), row('sign-ins', signIns)]);
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
  await stand.stop();
}
