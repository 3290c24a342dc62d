/** Formats when, and from which device and network, the event of a security notice was caused. */
import { networkLabels, type NoticeOrigin } from '@lanternrock/auth/notice-origin';
import { deviceName } from '@lanternrock/contract/device-name';
import { formatDateWithZone } from './date-with-zone.ts';
import type { ContentContext } from './email-job.ts';
import { sanitizeText } from './sanitize-text.ts';

const networkNames: Readonly<Record<string, string>> = {
  [networkLabels.thisComputer]: 'The computer that runs the service',
  [networkLabels.private]: 'A private network',
};

/** The value is computed from a valid address. Any other text is not shown. */
const formatNetwork = (network: string): string =>
  networkNames[network] ?? (/^[0-9a-f.:]{3,40}\/\d{2}$/.test(network) ? network : 'Unknown');

/** Returns a time in UTC, and in the zone of the service if its clocks show another time. */
function formatTimeInZones(time: Date, timeZone: string): string {
  const utc = formatDateWithZone(time, 'UTC');
  const local = formatDateWithZone(time, timeZone);
  const shown = (text: string): string => text.replace(/ \S+$/, '');
  return shown(utc) === shown(local) ? utc : `${utc} (${local})`;
}

/** Returns lines such as `Device: Firefox on Windows`; none for emails of earlier versions. */
export function formatNoticeDetails(
  origin: Partial<NoticeOrigin>,
  { timeZone }: ContentContext,
): readonly string[] {
  const at = new Date(origin.at ?? '');
  if (Number.isNaN(at.getTime())) return [];
  const when = `When: ${formatTimeInZones(at, timeZone)}`;
  if (origin.source === 'command_line') return [when, 'From: The command line of the service'];
  if (origin.network === undefined) return [when];
  const isKey = origin.source === 'secret_key';
  return [
    when,
    ...(isKey ? ['From: A program with the secret key of the service'] : []),
    `Device: ${sanitizeText(deviceName(origin.userAgent ?? null))}`,
    `Network: ${formatNetwork(origin.network)}`,
  ];
}
