/** Load from a process of its own, so that the one who measures takes no time from the one who answers. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const autocannon = createRequire(import.meta.url).resolve('autocannon/autocannon.js');

/** Seconds of load before a run of so many: a process that has just started is slower than the same one later. */
export const warmUp = (seconds) => Math.max(2, Math.round(seconds / 2));

/** Seconds of processor time that a process has used with all its threads (proc(5), fields 14 and 15). */
function processorTime(pid) {
  const fields = fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** @returns requests per second, p99 in milliseconds, how many answers were none or no 2xx,
 * and with `pid` the server's processor time per request, which other work on the machine hardly changes. */
export async function load({ url, headers, connections, seconds, method = 'GET', body, pid }) {
  const before = pid === undefined ? 0 : processorTime(pid);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      autocannon,
      '--json',
      '--connections',
      String(connections),
      '--duration',
      String(seconds),
      '--method',
      method,
      ...Object.entries(headers).flatMap(([name, value]) => ['--headers', `${name}=${value}`]),
      ...(body === undefined ? [] : ['--body', body]),
      url,
    ],
    { maxBuffer: 2 ** 24 },
  );
  const { requests, latency, non2xx, errors } = JSON.parse(stdout);
  const processor = pid === undefined ? null : ((processorTime(pid) - before) / requests.total) * 1e6;
  return { rate: requests.average, p99: latency.p99, p50: latency.p50, failures: non2xx + errors, processor };
}
