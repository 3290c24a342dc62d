import fs from 'node:fs/promises';
import net from 'node:net';
import { dkimSelectorSchema } from '@lanternrock/contract/notification-settings';
import { checkSenderDomain as readDomain } from '../mail/sender-domain.ts';
import { readSender } from '../mail/sender.ts';
import { defineFunction } from './define-function.ts';
import { functionLimits } from './function-limits.ts';

/**
 * Checks the DNS records of the sender's domain. The domain is always that of the stored sender, so that a client cannot
 * use the service for arbitrary DNS lookups.
 */
export const checkSenderDomain = defineFunction({
  name: 'check-sender-domain',
  limit: functionLimits.lookups,
  input: dkimSelectorSchema,
  work: async ({ input, transaction, config, database, now }) => {
    const sender = await transaction((tx) => readSender(tx, config));
    const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1).toLowerCase();
    const requested = input.selector ?? '';
    const selector = requested === '' ? config.DKIM_SELECTOR : requested;
    const signsItself =
      config.DKIM_KEY_FILE !== '' &&
      config.DKIM_DOMAIN.toLowerCase() === domain &&
      config.DKIM_SELECTOR === selector;
    const records = await readDomain({
      domain,
      selector,
      privateKey: signsItself ? await fs.readFile(config.DKIM_KEY_FILE, 'utf8') : null,
      mailHost: publicHost(config.SMTP_URL),
      servers: config.DNS_SERVERS,
    });
    return { domain, checked_at: (await now(database)).toISOString(), records };
  },
});

/** Returns the host if an SPF record can refer to it: a qualified name and not an IP address. Otherwise returns ''. */
function publicHost(smtpUrl: string): string {
  const host = smtpUrl === '' ? '' : new URL(smtpUrl).hostname;
  return net.isIP(host) === 0 && /[a-z]\.[a-z]/i.test(host) ? host : '';
}
