/** A separate instance on the embedded database, with an administrator and sample accounts. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openClient } from '../../scripts/instance-client.mjs';

const entry = fileURLToPath(new URL('../../apps/server/bin/lanternrock.mjs', import.meta.url));
const password = 'lantern on the pier 7';

/** Reads the output until the URL and the first link are known. */
function readUrls(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const link = /https?:\/\/\S*token_hash=\S+/.exec(text)?.[0];
      const url = /https?:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(text)?.[0];
      if (link && url) resolve({ url, link });
    });
    child.once('exit', () => reject(new Error(`The instance did not start:\n${text}`)));
  });
}

/**
 * Starts the instance.
 *
 * @returns URL, session and functions to fill the instance; `stop` deletes everything
 */
export async function startInstance() {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-bench-'));
  const child = spawn(process.execPath, [entry, 'start'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Also if a later step fails.
  process.once('exit', () => child.kill('SIGTERM'));
  const { url, link } = await readUrls(child);
  const client = await openClient(url);
  await client.setUpAdministrator(link, password);
  const signIn = () => client.signIn({ email: 'admin@example.com', password });
  const session = await signIn();
  const addAccounts = async (from, to) => {
    for (let start = from; start < to; start += 500) {
      const body = Array.from({ length: Math.min(500, to - start) }, (_, n) => ({
        name: `Patrol ${start + n}`,
        slug: `patrol-${start + n}`,
        account_type: n % 2 === 0 ? 'enterprise' : 'organization',
        city: 'Vail',
        state: 'CO',
        status: 'active',
        created_by: session.user.id,
      }));
      await client.call('/rest/v1/accounts', body, { token: session.access_token });
    }
  };
  await addAccounts(0, 30);
  return {
    url,
    signIn,
    addAccounts,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
