import { describe, expect, it } from 'vitest';
import { toClientNetwork } from './client-network.ts';

describe('the network of a client', { tags: ['AUTH-03'] }, () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::FFFF:c633:6407', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('maps %s to %s', (ip, network) => {
    expect(toClientNetwork(ip)).toBe(network);
  });
});
