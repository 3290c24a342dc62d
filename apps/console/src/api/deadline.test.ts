import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchHeaders, fetchWhole, startDeadline, timeoutFor } from './deadline.ts';
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
    const deadline = startDeadline(60_000);
    const response = await fetchWhole(deadline, `${url}/whole`);
    deadline.stop();
    expect(await response.text()).toBe('first half, second half');
    expect(response.headers.get('X-Part')).toBe('headers');
  });

  it.each(['/silent', '/half'])(
    'ends a request that is not answered, or not completely: %s',
    async (path) => {
      await expect(fetchWhole(startDeadline(100), url + path)).rejects.toMatchObject({ code: timeoutCode });
    },
  );

  it('ends the body of a download without a further byte', async () => {
    const deadline = startDeadline(300);
    const response = await fetchHeaders(deadline, `${url}/half`);
    deadline.restart();
    await expect(deadline.wait(response.text())).rejects.toMatchObject({ code: timeoutCode });
  });

  it('ends when the caller aborts, also before the request', async () => {
    const caller = new AbortController();
    const sent = fetchWhole(startDeadline(60_000, caller.signal), `${url}/silent`);
    caller.abort();
    await expect(sent).rejects.toThrow(/abort/i);
    await expect(fetchWhole(startDeadline(60_000, caller.signal), url)).rejects.toThrow(/abort/i);
  });

  it('is shorter for a read than for a change, and longer for a long upload', () => {
    const read = timeoutFor({});
    const change = timeoutFor({ method: 'POST', body: '{}' });
    expect(read).toBeLessThan(15_000);
    expect(change).toBeLessThan(30_000);
    expect(change).toBeGreaterThan(read);
    expect(timeoutFor({ method: 'POST', body: 'x'.repeat(1_000_000) })).toBeGreaterThan(change + 200_000);
  });
});
