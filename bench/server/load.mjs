/**
 * Load by wrk, a process of its own that takes little of the processor: with two cores, what the one
 * who asks takes is missing where the answers are made.
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installSystemPackage } from '../../scripts/install-browser.mjs';

const wrk = '/usr/bin/wrk';
const script = fileURLToPath(new URL('wrk.lua', import.meta.url));

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

/** @param vary each request has another number in place of `VARY` in its path
 * @returns requests per second, p50 and p99 in milliseconds, how many answers were none or a refusal,
 * and with `pid` the server's processor time per request, which other work on the machine hardly changes. */
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
  if (!fs.existsSync(wrk)) installSystemPackage('wrk');
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
    rate: result.requests / (result.duration / 1e6),
    p50: result.p50 / 1000,
    p99: result.p99 / 1000,
    failures: result.failures,
    processor: pid === undefined ? null : ((processorTime(pid) - before) / result.requests) * 1e6,
  };
}
