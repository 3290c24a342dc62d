import { isIPv6 } from 'node:net';

/** Returns the network of one subscriber in canonical form: an IPv4 address or an IPv6 /64 prefix. */
export const toClientNetwork = (address: string): string => toNetworkPrefix(address, 64);

/** @returns an IPv4 address as it is, or the first `bits` (a multiple of 16) of an IPv6 address */
export function toNetworkPrefix(address: string, bits: number): string {
  const plain = address
    .trim()
    .toLowerCase()
    .replace(/^::ffff:(?=\d+\.)/, '');
  if (!isIPv6(plain)) return plain;
  const canonical = new URL(`http://[${plain.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (mapped) {
    const bytes = Buffer.from(
      [mapped[1], mapped[2]].map((group = '') => group.padStart(4, '0')).join(''),
      'hex',
    );
    return [...bytes].join('.');
  }
  const [head = '', tail] = canonical.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, bits / 16).join(':')}::/${bits}`;
}
