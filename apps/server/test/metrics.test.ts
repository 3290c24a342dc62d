/** The content of `/metrics` after requests over a socket, and the documentation of the metrics. */
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { version } from '../src/version.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

const token = 'a'.repeat(32);
const withToken = { headers: { Authorization: `Bearer ${token}` } };

const readDocument = (name: string): string =>
  fs.readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

eachEngine('metrics', (engine) => {
  let service: TestService;
  let server: http.Server;
  let url: string;
  const clock = { aheadMs: 0 };
  beforeAll(async () => {
    service = await startTestService(engine, {
      settings: { METRICS_TOKEN: token },
      now: () => new Date(Date.now() + clock.aheadMs),
    });
    const listener = getRequestListener(service.service.app.fetch);
    server = http.createServer((request, response) => void listener(request, response));
    service.service.metrics.instrument(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await service.close();
  });

  const read = async (): Promise<string> => (await fetch(`${url}/metrics`, withToken)).text();
  const value = async (line: string): Promise<number> => {
    const found = (await read()).split('\n').find((text) => text.startsWith(`${line} `));
    return Number(found?.slice(line.length + 1) ?? Number.NaN);
  };

  it('count requests by API, method and status class', async () => {
    await (await fetch(`${url}/rest/v1/accounts`)).text();
    await (await fetch(`${url}/auth/v1/settings`)).text();
    await (await fetch(`${url}/auth/v1/settings`)).text();
    await (await fetch(`${url}/auth`)).text();
    await (await fetch(`${url}/functions/v1/session-watch?x=1`)).text();
    await (await fetch(`${url}/ready?x=1`)).text();
    const count = 'lanternrock_http_request_duration_seconds_count';
    // A client can receive its response before the service has counted it.
    await expect.poll(() => value(`${count}{interface="rest",method="GET",status="4xx"}`)).toBe(1);
    await expect.poll(() => value(`${count}{interface="auth",method="GET",status="2xx"}`)).toBe(2);
    await expect.poll(() => value(`${count}{interface="wait",method="GET",status="4xx"}`)).toBe(1);
    await expect.poll(() => value('lanternrock_http_requests_running')).toBe(1);
    const text = await read();
    expect(text).not.toContain('interface="functions"');
    const consoleCounts = [...text.matchAll(/_seconds_count\{interface="console"[^}]*\} (\d+)/g)];
    expect(consoleCounts.map(([, requests]) => requests)).toEqual(['1']);
  });

  it('count a client that disconnects, and take no label from client input', async () => {
    const { port } = server.address() as net.AddressInfo;
    const socket = net.connect(port, '127.0.0.1');
    socket.write('POST /auth/v1/recover HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{');
    const line =
      'lanternrock_http_request_duration_seconds_count{interface="auth",method="POST",status="cut"}';
    await expect.poll(() => value('lanternrock_http_requests_running')).toBe(2);
    socket.destroy();
    await expect.poll(() => value(line)).toBe(1);
    await fetch(`${url}/rest/v1/some/stranger/wrote/this`, { method: 'PROPFIND' });
    const text = await read();
    expect(text).toContain('method="other"');
    expect(text).not.toMatch(/PROPFIND|stranger/);
  });

  it('state the version, as /health does for the operator', { tags: ['OPS-13'] }, async () => {
    expect(await value(`lanternrock_build_info{version="${version}"}`)).toBe(1);
    const health = async (init: RequestInit): Promise<unknown> => (await fetch(`${url}/health`, init)).json();
    expect(await health(withToken)).toEqual({ status: 'ok', version });
    expect(await health({})).toEqual({ status: 'ok' });
    expect(await health({ headers: { Authorization: `Bearer ${token.slice(1)}` } })).toEqual({
      status: 'ok',
    });
  });

  it('count the hashes of passwords', async () => {
    const user = await service.createUser();
    const hashes = await value('lanternrock_password_hash_seconds_count');
    await service.signIn(user);
    expect(await value('lanternrock_password_hash_seconds_count')).toBe(hashes + 1);
  });

  it('report delivery attempts, queued emails and their delay', async () => {
    const user = await service.createUser();
    const captured = await value('lanternrock_mail_tries_total{outcome="captured"}');
    await service.request('/auth/v1/recover', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: user.email }),
    });
    await service.emails();
    expect(await value('lanternrock_mail_tries_total{outcome="captured"}')).toBe((captured || 0) + 1);
    expect(await value('lanternrock_mails_waiting')).toBe(0);
    await service.database.query(
      sql`insert into private.deliveries (id, kind, recipient, sealed, due_at)
          values (gen_random_uuid(), 'recovery', 'late@example.org', '', now() + interval '1 hour'),
                 (gen_random_uuid(), 'recovery', 'later@example.org', '', now() + interval '2 hours')`,
    );
    expect(await value('lanternrock_mails_waiting')).toBe(2);
    expect(await value('lanternrock_mail_overdue_seconds')).toBe(0);
    clock.aheadMs = 3_690_000;
    expect(await value('lanternrock_mail_overdue_seconds')).toBeGreaterThanOrEqual(90);
    clock.aheadMs = 0;
  });

  it('report connections, restarts and the size of the embedded database', async () => {
    expect(await value('lanternrock_database_connections')).toBeGreaterThanOrEqual(1);
    expect(await value('lanternrock_database_restarts')).toBe(0);
    for (const name of ['lanternrock_database_bytes', 'lanternrock_database_wal_bytes']) {
      if (engine === 'embedded') expect(await value(name)).toBeGreaterThan(1_048_576);
      else expect(await value(name)).toBeNaN();
    }
  });

  it('match the table of the operations page exactly', async () => {
    const documented = [...readDocument('operations.md').matchAll(/^\| `(lanternrock_\w+)`/gm)].map(
      (match) => match[1],
    );
    const served = [...(await read()).matchAll(/^# TYPE (lanternrock_\w+)/gm)].map((match) => match[1]);
    expect(documented.sort()).toEqual(served.sort());
  });

  it('exist for every query of the dashboard', async () => {
    const dashboard = JSON.parse(readDocument('grafana-dashboard.json')) as {
      panels: { targets: { expr: string }[] }[];
    };
    const served = new Set([...(await read()).matchAll(/^# TYPE (\w+)/gm)].map((match) => match[1]));
    const queried = dashboard.panels
      .flatMap(({ targets }) => targets)
      .flatMap(({ expr }) => expr.match(/\b(lanternrock|process|nodejs)_\w+/g) ?? []);
    expect(queried.length).toBeGreaterThan(10);
    for (const name of queried) expect(served).toContain(name.replace(/_(bucket|count|sum)$/, ''));
  });
});

describe('access to metrics', () => {
  it('requires METRICS_TOKEN, also from this machine', { tags: ['OPS-13'] }, async () => {
    const request = async (service: TestService, given: string) =>
      (await service.request('/metrics', { headers: { Authorization: `Bearer ${given}` } })).status;
    const closed = await startTestService('embedded');
    expect((await closed.request('/metrics', { headers: { Host: 'localhost:3000' } })).status).toBe(404);
    expect(await request(closed, '')).toBe(404);
    await closed.close();
    const open = await startTestService('embedded', { settings: { METRICS_TOKEN: token } });
    const statuses = [
      await request(open, token),
      await request(open, 'b'.repeat(32)),
      await request(open, ''),
    ];
    expect(statuses).toEqual([200, 404, 404]);
    await open.close();
  });
});

describe('metrics while the database is unavailable', () => {
  it('are returned', async () => {
    const service = await startTestService('embedded', { settings: { METRICS_TOKEN: token } });
    await service.service.database.close();
    // A volume that is no longer mounted.
    fs.rmSync(path.join(service.service.config.DATA_DIR, 'database'), { recursive: true });
    const response = await service.request('/metrics', withToken);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain('lanternrock_mails_waiting Nan');
    expect(text).toContain('lanternrock_database_bytes Nan');
    await service.service.close();
  });
});
