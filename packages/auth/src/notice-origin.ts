/** Describes when and from where the event of a security notice was caused. */
import { BlockList, isIP } from 'node:net';
import { maxUserAgentLength, type ClientInfo } from './client-info.ts';
import { toClientNetwork, toNetworkPrefix } from './client-network.ts';

/** `secret_key`: a program with the secret key of the service, in place of the user. */
export type NoticeSource = 'client' | 'secret_key' | 'command_line';

interface NoticeOriginOptions {
  readonly client: Pick<ClientInfo, 'ip' | 'userAgent'>;
  readonly source?: NoticeSource;
  readonly now: Date;
}

/** Values of `network` for networks that are not shown. */
export const networkLabels = { thisComputer: 'this computer', private: 'private' } as const;

const thisComputer = new BlockList();
thisComputer.addSubnet('127.0.0.0', 8);
thisComputer.addAddress('::1', 'ipv6');

const privateNetworks = new BlockList();
for (const [address, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateNetworks.addSubnet(address, prefix);
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');

/**
 * Returns the network without the part that identifies a household or a device: the first 24 bits of an IPv4 address
 * or the first 48 of an IPv6 address.
 *
 * @returns one of `networkLabels` for the computer of the service or a private network, '' for an invalid IP address
 */
export function toCoarseNetwork(ip: string): string {
  const address = toClientNetwork(ip);
  if (isIP(address) === 4) {
    if (thisComputer.check(address)) return networkLabels.thisComputer;
    if (privateNetworks.check(address)) return networkLabels.private;
    return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  }
  if (isIP(ip) !== 6) return '';
  if (thisComputer.check(ip, 'ipv6')) return networkLabels.thisComputer;
  return privateNetworks.check(ip, 'ipv6') ? networkLabels.private : toNetworkPrefix(ip, 48);
}

/** When, by whom and from where the event was caused, as text for the email. */
export interface NoticeOrigin {
  /** ISO 8601. */
  readonly at: string;
  readonly source: NoticeSource;
  readonly network: string;
  readonly userAgent: string;
}

/** Returns the values that the notice shows. They contain no IP address of a device. */
export const toNoticeOrigin = ({
  client: { ip, userAgent },
  source = 'client',
  now,
}: NoticeOriginOptions): NoticeOrigin => ({
  at: now.toISOString(),
  source,
  network: toCoarseNetwork(ip),
  userAgent: (userAgent ?? '').slice(0, maxUserAgentLength),
});
