/** Sign-ins per second, compared with the bare hash in the same number of processes. */
import { execFile } from 'node:child_process';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { load } from '../server/load.mjs';
import { median, openFixture, signInRequest } from '../server/fixture.mjs';
import { reportRow } from './report.mjs';

const bareHash = fileURLToPath(new URL('../server/bare-hash.mjs', import.meta.url));
const processes = Math.min(2, Math.max(1, os.availableParallelism() - 1));

/** Returns the verifications per second of all processes. */
async function bareRate(seconds) {
  const runOne = () => promisify(execFile)(process.execPath, [bareHash, String(seconds)]);
  const counts = await Promise.all(Array.from({ length: processes }, runOne));
  return counts.reduce((sum, { stdout }) => sum + Number(stdout), 0) / seconds;
}

export async function measureSignIns({ seconds, runs }) {
  const fixture = await openFixture();
  try {
    const request = { ...signInRequest(fixture), connections: 10, seconds };
    const rates = [];
    const bare = [];
    for (let run = 0; run < runs; run += 1) {
      const { rate, failures } = await load(request);
      if (failures > 0) throw new Error(`${failures} sign-ins failed`);
      rates.push(rate);
      bare.push(await bareRate(seconds));
    }
    const beside = `bare argon2id, ${processes} process${processes > 1 ? 'es' : ''}`;
    return [reportRow('sign-ins/s', median(rates), beside, median(bare), '0.7 or more')];
  } finally {
    await fixture.stop();
  }
}
