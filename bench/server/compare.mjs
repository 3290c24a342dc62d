/** Runs the same load on several servers, in turns, so that other work on the machine affects all of them. */
import { load, warmUp } from './load.mjs';
import { median } from './fixture.mjs';

/**
 * @param servers options of `load` by name
 * @returns the medians by name: rate (requests/s), p99 (ms), processor (µs per request), and the number of
 * failures
 */
export async function compare(servers, { connections, seconds, runs }) {
  const measured = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
  for (const server of Object.values(servers))
    await load({ ...server, connections, seconds: warmUp(seconds) });
  for (let run = 0; run < runs; run += 1)
    for (const [name, server] of Object.entries(servers))
      measured[name].push(await load({ ...server, connections, seconds }));
  return Object.fromEntries(
    Object.entries(measured).map(([name, results]) => [
      name,
      {
        rate: median(results.map((one) => one.rate)),
        p99: median(results.map((one) => one.p99)),
        processor: median(results.map((one) => one.processor)),
        failures: results.reduce((sum, one) => sum + one.failures, 0),
      },
    ]),
  );
}
