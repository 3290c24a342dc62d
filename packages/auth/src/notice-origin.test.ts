import { expect, it } from 'vitest';
import { toCoarseNetwork, toNoticeOrigin } from './notice-origin.ts';

it.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:0DB8:1:2::4', '2001:db8:1::/48'],
  ['2001:db8::', '2001:db8:0::/48'],
  ['127.3.2.1', 'this computer'],
  ['::1', 'this computer'],
  ['::ffff:127.0.0.1', 'this computer'],
  ['10.1.2.3', 'private'],
  ['172.31.0.1', 'private'],
  ['172.32.0.1', '172.32.0.0/24'],
  ['100.64.0.1', 'private'],
  ['fe80::1', 'private'],
  ['fd12::1', 'private'],
  ['', ''],
  ['unknown', ''],
  ['<b>', ''],
  ['1.2.3', ''],
])('converts the address %j to the network %j', (ip, network) => {
  expect(toCoarseNetwork(ip)).toBe(network);
});

it('shortens the user agent and contains no IP address', () => {
  const now = new Date('2026-11-24T12:00:00Z');
  const client = { ip: '203.0.113.77', userAgent: 'x'.repeat(10_000) };
  expect(toNoticeOrigin({ client, now })).toEqual({
    at: '2026-11-24T12:00:00.000Z',
    source: 'client',
    network: '203.0.113.0/24',
    userAgent: 'x'.repeat(500),
  });
});
