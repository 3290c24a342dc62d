/** Time until the Auth API responds after a start, and process memory, on both databases. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { residentMemory, startInstance } from '../server/instance.mjs';
import { median, startPostgres } from '../server/fixture.mjs';
import { reportRow } from './report.mjs';

const secret = () => randomBytes(32).toString('base64url');

/** A new instance: its settings, its directory, and a function that deletes it. */
async function freshInstance(postgres, number) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-bench-'));
  const key = secret();
  const environment = { SERVICE_ROLE_KEY: key };
  if (postgres) {
    const url = new URL(postgres.ownerUrl);
    const client = new pg.Client(url.href);
    await client.connect();
    await client.query(`create database bench_start_${number}`);
    await client.end();
    url.pathname = `/bench_start_${number}`;
    Object.assign(environment, { DATABASE_URL: url.href, SECRETS_KEY: secret() });
  }
  return { directory, key, environment };
}

/** Measures a first start, a second one, and the memory after 1,000 reads of ten accounts. */
async function measureRun(postgres, number) {
  const { directory, key, environment } = await freshInstance(postgres, number);
  try {
    const first = await startInstance({ environment, dataDir: directory });
    const headers = { apikey: key, Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const accounts = Array.from({ length: 50 }, (_, n) => ({
      name: `Patrol ${n}`,
      slug: `patrol-${n}`,
      account_type: 'organization',
    }));
    const body = JSON.stringify(accounts);
    const inserted = await fetch(`${first.url}/rest/v1/accounts`, { method: 'POST', headers, body });
    if (!inserted.ok)
      throw new Error(`Filling the instance returned ${inserted.status} ${await inserted.text()}`);
    await first.stop();
    const second = await startInstance({ environment, dataDir: directory });
    const idle = residentMemory(second.pid);
    for (let read = 0; read < 1000; read += 1) {
      const response = await fetch(`${second.url}/rest/v1/accounts?order=created_at.desc&limit=10`, {
        headers,
      });
      if ((await response.json()).length !== 10) throw new Error('A read did not return ten accounts');
    }
    const used = residentMemory(second.pid);
    await second.stop();
    return { first: first.startedIn, second: second.startedIn, idle, used };
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

export async function measureStarts({ runs }) {
  const postgres = await startPostgres();
  try {
    const results = { embedded: [], external: [] };
    // In turns, so that other work on the machine affects both.
    for (let run = 0; run < runs; run += 1) {
      results.embedded.push(await measureRun(null, run));
      results.external.push(await measureRun(postgres, run));
    }
    const fields = {
      'first start, ms': 'first',
      'next start, ms': 'second',
      'memory after the start, MiB': 'idle',
      'memory after 1,000 reads, MiB': 'used',
    };
    return Object.entries(fields).map(([name, field]) => {
      const [embedded, external] = [results.embedded, results.external].map((all) =>
        median(all.map((result) => result[field])),
      );
      return reportRow(`${name} (embedded database)`, embedded, 'the same on Postgres', external);
    });
  } finally {
    await postgres.stop();
  }
}
