/**
 * Load from wrk, a separate process with low processor use: with two cores, the load generator competes with
 * the server.
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installSystemPackages } from '../../scripts/install-browser.mjs';

const wrk = '/usr/bin/wrk';
const script = fileURLToPath(new URL('wrk.lua', import.meta.url));

/**
 * Returns the warm-up duration before a run of the given duration, in seconds. A new process is slower at
 * first.
 */
export const warmUp = (seconds) => Math.max(2, Math.round(seconds / 2));

/** Returns the processor time of a process with all its threads, in seconds (proc(5), fields 14 and 15). */
function processorTime(pid) {
  const fields = fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/**
 * Runs the load.
 *
 * @param vary replaces `VARY` in the path by another number in each request
 * @returns the number of responses and their rate per second, p50 and p99 in milliseconds, the number of errors and
 * missing responses, and with `pid` the processor time of the server per request, which other work on the machine
 * hardly changes
 */
export async function load({
  url,
  headers,
  connections,
  seconds,
  method = 'GET',
  body,
  bodyFile,
  vary,
  pid,
}) {
  if (!fs.existsSync(wrk)) installSystemPackages(['wrk']);
  const before = pid === undefined ? 0 : processorTime(pid);
  const { stdout } = await promisify(execFile)(
    wrk,
    [
      '--threads=1',
      `--connections=${connections}`,
      `--duration=${seconds}s`,
      '--timeout=20s',
      `--script=${script}`,
      ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
      url,
    ],
    {
      env: {
        LOAD_METHOD: method,
        ...(body === undefined ? {} : { LOAD_BODY: body }),
        ...(bodyFile === undefined ? {} : { LOAD_BODY_FILE: bodyFile }),
        ...(vary ? { LOAD_VARY: 'on' } : {}),
      },
    },
  );
  const result = JSON.parse(/^RESULT (.*)$/m.exec(stdout)[1]);
  return {
    requests: result.requests,
    rate: result.requests / (result.duration / 1e6),
    p50: result.p50 / 1000,
    p99: result.p99 / 1000,
    failures: result.failures,
    processor: pid === undefined ? null : ((processorTime(pid) - before) / result.requests) * 1e6,
  };
}
