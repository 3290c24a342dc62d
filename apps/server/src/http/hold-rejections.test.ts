import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { AppEnv } from './context.ts';
import { holdRejections } from './hold-rejections.ts';

let sleeps: number[] = [];

function serve(limits: boolean): (path: string, address: string) => Promise<number> {
  sleeps = [];
  const app = new Hono<AppEnv>();
  app.use(async (c, next) => {
    c.set('clientIp', c.req.header('x-address') ?? '');
    await next();
  });
  app.use(holdRejections({ RATE_LIMITS: limits }, async (ms) => void sleeps.push(ms)));
  app.get('/accepted', (c) => c.text('ok'));
  app.get('/failed', (c) => c.text('', 503));
  app.get('/conflict', (c) => c.text('', 409));
  return async (path, address) => (await app.request(path, { headers: { 'x-address': address } })).status;
}

async function repeat(times: number, send: () => Promise<number>): Promise<void> {
  for (let n = 0; n < times; n += 1) await send();
}

it('delays only rejections, and only for a network that causes many', async () => {
  const send = serve(true);
  await repeat(200, () => send('/accepted', '192.0.2.1'));
  await repeat(200, () => send('/failed', '192.0.2.1'));
  await repeat(200, () => send('/conflict', '192.0.2.1'));
  await repeat(30, () => send('/rejected', '192.0.2.1'));
  expect(sleeps).toEqual([]);
  expect(await send('/rejected', '192.0.2.1')).toBe(404);
  expect(sleeps).toEqual([1000]);
  await send('/accepted', '192.0.2.1');
  await send('/rejected', '192.0.2.2');
  expect(sleeps).toEqual([1000]);
});

it('counts the IP addresses of one IPv6 network together', async () => {
  const send = serve(true);
  for (let n = 0; n < 31; n += 1) await send('/rejected', `2001:db8::${n.toString(16)}`);
  expect(sleeps).toEqual([1000]);
});

it('delays no response without rate limits', async () => {
  const send = serve(false);
  await repeat(150, () => send('/rejected', '192.0.2.1'));
  expect(sleeps).toEqual([]);
});
