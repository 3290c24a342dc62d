/** Function `check-sender-domain`: what receivers find in the DNS about the domain that mails come from. */
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

/** The domain is always the stored sender's: nobody can use the service to ask the DNS for them. */
export async function checkSenderDomain(
  c: Context<AppEnv>,
  identity: Principal,
  { config, database, now }: SenderDomainOptions,
): Promise<Response> {
  const body = dkimSelectorSchema.safeParse(await readJsonBody(c));
  if (!body.success) {
    throw new ApiError(400, 'validation_failed', body.error.issues[0]?.message ?? 'Invalid input');
  }
  const sender = await database.transaction(async (tx) => {
    await requirePlatformAdmin(tx, identity, c.get('requestId'));
    return readSender(tx, config);
  });
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1).toLowerCase();
  const given = body.data.selector ?? '';
  const selector = given === '' ? config.DKIM_SELECTOR : given;
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
  const answer: SenderDomainResponse = { domain, checked_at: now().toISOString(), records };
  return c.json(answer);
}

/** A name that a record may refer to: no bare word, no network address. */
function publicHost(smtpUrl: string): string {
  const host = smtpUrl === '' ? '' : new URL(smtpUrl).hostname;
  return net.isIP(host) === 0 && /[a-z]\.[a-z]/i.test(host) ? host : '';
}
