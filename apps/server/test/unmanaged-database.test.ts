/** MIGRATE=off: only the Data API, on a database that another system created and migrates. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { readConfig } from '../src/config/settings.ts';
import { openService, type Service } from '../src/service.ts';
import { onServer } from '@lanternrock/testing/engines';

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-foreign-'));
let service: Service;

beforeAll(async () => {
  const { ownerUrl } = inject('postgres');
  await onServer(ownerUrl, 'create database somebody_elses');
  const url = new URL(ownerUrl);
  url.pathname = '/somebody_elses';
  await onServer(
    url.href,
    `create table public.huts (id int primary key, name text);
     insert into public.huts values (1, 'Monte Rosa');
     grant select on public.huts to anon;
     grant usage on schema public to anon;`,
  );
  const config = readConfig({ DATABASE_URL: url.href, MIGRATE: 'off', DATA_DIR: dataDir });
  service = await openService({ config, log: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await service.close();
  await onServer(inject('postgres').ownerUrl, 'drop database somebody_elses with (force)');
  fs.rmSync(dataDir, { recursive: true, force: true });
});

it('MIGRATE=off serves the existing tables of the database and nothing else', async () => {
  const rows = await service.app.request('/rest/v1/huts?select=name&id=eq.1');
  expect([rows.status, await rows.json()]).toEqual([200, [{ name: 'Monte Rosa' }]]);
  const rejected = await service.app.request('/rest/v1/huts', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"id":2}',
  });
  expect([rejected.status, ((await rejected.json()) as { code: string }).code]).toEqual([401, '42501']);
  for (const pathname of ['/auth/v1/settings', '/functions/v1/send-user-invitation', '/auth', '/mailbox']) {
    expect((await service.app.request(pathname)).status).toBe(404);
  }
});
