/** Function `check-sender-domain`: checks the DNS records of the sender's domain. */
import fs from 'node:fs/promises';
import net from 'node:net';
import { dkimSelectorSchema, type SenderDomainResponse } from '@lanternrock/contract/notification-settings';
import type { Context } from 'hono';
import type { Database } from '@lanternrock/postgres';
import type { AppEnv } from '../http/context.ts';
import type { Config } from '../config/settings.ts';
import { ApiError } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { checkSenderDomain as readDomain } from '../mail/sender-domain.ts';
import { readSender } from '../mail/sender.ts';
import { readJsonBody } from './json-body.ts';
import { requirePlatformAdmin } from './platform-admin.ts';

export interface SenderDomainOptions {
  readonly config: Config;
  readonly database: Database;
  readonly now: () => Date;
}

/**
 * The domain is always that of the stored sender, so that a client cannot use the service for arbitrary DNS lookups.
 */
export async function checkSenderDomain(
  c: Context<AppEnv>,
  principal: Principal,
  { config, database, now }: SenderDomainOptions,
): Promise<Response> {
  const body = dkimSelectorSchema.safeParse(await readJsonBody(c));
  if (!body.success) {
    throw new ApiError(400, 'validation_failed', body.error.issues[0]?.message ?? 'Invalid input');
  }
  const sender = await database.transaction(async (tx) => {
    await requirePlatformAdmin(tx, principal, c.get('requestId'));
    return readSender(tx, config);
  });
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1).toLowerCase();
  const requested = body.data.selector ?? '';
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
  const response: SenderDomainResponse = { domain, checked_at: now().toISOString(), records };
  return c.json(response);
}

/** Returns the host if an SPF record can refer to it: a qualified name and not an IP address. Otherwise returns ''. */
function publicHost(smtpUrl: string): string {
  const host = smtpUrl === '' ? '' : new URL(smtpUrl).hostname;
  return net.isIP(host) === 0 && /[a-z]\.[a-z]/i.test(host) ? host : '';
}
