import type { TestEmailResponse } from '@lanternrock/contract/notification-settings';
import { sql } from '@lanternrock/postgres';
import { DomainError } from '../errors.ts';
import { requireEmailQuota } from '../mail/email-quota.ts';
import { replaceQueuedEmails } from '../mail/deliveries.ts';
import { succeeded } from '../mail/email-job.ts';
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
      if (!user?.email) throw new DomainError('no_email', 'Your user has no email address.');
      const at = await now(tx);
      await requireEmailQuota(tx, config.MAILS_PER_HOUR, 'none', at);
      await replaceQueuedEmails(tx, { kind: 'test', reference: user.id, now: at });
      const data = user.full_name ? { fullName: user.full_name } : {};
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
