import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fetchHeaders, fetchWhole, isChanging, timeoutFor, withDeadline } from './deadline.ts';
import { timeoutCode } from './errors.ts';

describe('the time limit of a request', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/silent') return;
      response.writeHead(200, { 'X-Part': 'headers' });
      response.write('first half');
      if (request.url === '/whole') response.end(', second half');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('returns the complete response', async () => {
    const response = await withDeadline(60_000, null, (deadline) => fetchWhole(deadline, `${url}/whole`));
    expect(await response.text()).toBe('first half, second half');
    expect(response.headers.get('X-Part')).toBe('headers');
  });

  it.each(['/silent', '/half'])(
    'ends a request that is not answered, or not completely: %s',
    async (path) => {
      const sent = withDeadline(100, null, (deadline) => fetchWhole(deadline, url + path));
      await expect(sent).rejects.toMatchObject({ code: timeoutCode });
    },
  );

  it('ends the body of a download without a further byte', async () => {
    const download = withDeadline(300, null, async (deadline) => {
      const response = await fetchHeaders(deadline, `${url}/half`);
      deadline.restart();
      return response.text();
    });
    await expect(download).rejects.toMatchObject({ code: timeoutCode });
  });

  it('ends work that cannot be aborted', async () => {
    await expect(withDeadline(100, null, () => new Promise(() => {}))).rejects.toMatchObject({
      code: timeoutCode,
    });
  });

  it('ends when the caller aborts, also before the request', async () => {
    const caller = new AbortController();
    const send = () =>
      withDeadline(60_000, caller.signal, (deadline) => fetchWhole(deadline, `${url}/silent`));
    const sent = send();
    caller.abort();
    await expect(sent).rejects.toThrow(/abort/i);
    await expect(send()).rejects.toThrow(/abort/i);
  });

  it('tells whether a change is running', async () => {
    const send = (method: string, target = '/silent') =>
      withDeadline(100, null, (deadline) => fetchWhole(deadline, `${url}${target}`, { method }));
    const reads = [send('GET'), send('POST', '/functions/v1/list-activity')];
    expect(isChanging()).toBe(false);
    const change = send('POST', '/functions/v1/confirm-handover');
    expect(isChanging()).toBe(true);
    await Promise.allSettled([...reads, change]);
    await vi.waitFor(() => expect(isChanging()).toBe(false));
  });

  it('is shorter for a read than for a change, and longer for a long upload', () => {
    const rows = '/rest/v1/accounts';
    const read = timeoutFor(rows);
    const change = timeoutFor(rows, { method: 'POST', body: '{}' });
    expect(read).toBeLessThan(15_000);
    expect(change).toBeLessThan(30_000);
    expect(change).toBeGreaterThan(read);
    const upload = timeoutFor(rows, { method: 'POST', body: 'x'.repeat(1_000_000) });
    expect(upload).toBeGreaterThan(change + 200_000);
    expect(timeoutFor('/functions/v1/list-activity', { method: 'POST', body: '{}' })).toBe(read);
  });
});
