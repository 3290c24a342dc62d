/** Functions about the sender of emails: test email, check of the domain, author of the settings. */
import fs from 'node:fs/promises';
import net from 'node:net';
import { dkimSelectorSchema, type TestEmailResponse } from '@lanternrock/contract/notification-settings';
import { sql } from '@lanternrock/postgres';
import { recordTestEmail } from '../audit-log.ts';
import { DomainError } from '../errors.ts';
import { replaceQueuedEmails } from '../mail/deliveries.ts';
import { succeeded } from '../mail/email-job.ts';
import { requireEmailQuota } from '../mail/email-quota.ts';
import { checkSenderDomain as readDomain } from '../mail/sender-domain.ts';
import { readSender } from '../mail/sender.ts';
import { defineFunction } from './define-function.ts';
import { functionLimits } from './function-limits.ts';

/**
 * Sends an email to the user who calls it and returns the response of the mail server, to test the email
 * settings. After a temporary failure the service tries again, as with every email.
 */
export const sendTestEmail = defineFunction({
  name: 'send-test-mail',
  input: null,
  limit: functionLimits.testEmails,
  work: async ({ principal: { userId }, transaction, config, outbox, now }): Promise<TestEmailResponse> => {
    const claimed = await transaction(async (tx) => {
      const [user] = await tx.query<{ id: string; email: string | null; full_name: string | null }>(
        sql`select u.id, u.email, private.display_name(p.full_name, null) as full_name from auth.users u left join public.profiles p on p.id = u.id
            where u.id = ${userId}`,
      );
      if (!user?.email) throw new DomainError('no_email', 'Your account has no email address.');
      const at = await now(tx);
      await requireEmailQuota(tx, config.MAILS_PER_HOUR, 'none', at);
      await replaceQueuedEmails(tx, { kind: 'test', reference: user.id, now: at });
      const data = user.full_name ? { fullName: user.full_name } : {};
      await recordTestEmail(tx, user.email);
      return outbox.claim(tx, { kind: 'test', to: user.email, userId, data });
    });
    const { outcome, answer, retryAt } = await outbox.send(claimed);
    return {
      success: succeeded(outcome),
      kept: outcome === 'captured',
      to: claimed.job.to,
      answer,
      ...(retryAt ? { retry_at: retryAt.toISOString() } : {}),
    };
  },
});

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
      mailHost: toPublicHost(config.SMTP_URL),
      servers: config.DNS_SERVERS,
    });
    return { domain, checked_at: (await now(database)).toISOString(), records };
  },
});

/** Returns the host if an SPF record can refer to it: a qualified name and not an IP address. Otherwise returns ''. */
function toPublicHost(smtpUrl: string): string {
  const host = smtpUrl === '' ? '' : new URL(smtpUrl).hostname;
  return net.isIP(host) === 0 && /[a-z]\.[a-z]/i.test(host) ? host : '';
}

/**
 * Returns the name of the user who last saved the settings. A function, because row level security lets users read their
 * own profile only.
 */
export const settingsAuthor = defineFunction({
  name: 'notification-settings-author',
  input: null,
  work: async ({ transaction }) => {
    const [row] = await transaction((tx) =>
      tx.query<{ name: string | null; saved_at: Date }>(
        sql`select private.display_name(p.full_name, u.email) as name, s.updated_at as saved_at
            from public.notification_settings s
            left join auth.users u on u.id = s.updated_by left join public.profiles p on p.id = s.updated_by
            order by s.created_at, s.id limit 1`,
      ),
    );
    return { name: row?.name ?? null, saved_at: row?.saved_at.toISOString() ?? null };
  },
});
