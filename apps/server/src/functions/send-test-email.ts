/**
 * Function `send-test-mail`: sends an email to the user who calls it and returns the response of the mail server, to
 * test the email settings.
 */
import type { TestEmailResponse } from '@lanternrock/contract/notification-settings';
import type { Context } from 'hono';
import { type Database, sql } from '@lanternrock/postgres';
import type { AppEnv } from '../http/context.ts';
import type { Config } from '../config/settings.ts';
import { ApiError } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { requireEmailQuota } from '../mail/email-quota.ts';
import { succeeded } from '../mail/email-job.ts';
import type { Outbox } from '../mail/outbox.ts';
import { requirePlatformAdmin } from './platform-admin.ts';

export interface TestEmailOptions {
  readonly config: Config;
  readonly database: Database;
  readonly outbox: Outbox;
  readonly now: () => Date;
}

export async function sendTestEmail(
  c: Context<AppEnv>,
  principal: Principal,
  { config, database, outbox, now }: TestEmailOptions,
): Promise<Response> {
  const claimed = await database.transaction(async (tx) => {
    await requirePlatformAdmin(tx, principal, c.get('requestId'));
    const [user] = await tx.query<{ email: string | null; full_name: string | null }>(
      sql`select u.email, p.full_name from auth.users u left join public.profiles p on p.id = u.id
          where u.id = ${principal.userId}`,
    );
    if (!user?.email) throw new ApiError(409, 'no_email', 'Your user has no email address.');
    await requireEmailQuota(tx, config.MAILS_PER_HOUR, now());
    const data = user.full_name ? { fullName: user.full_name } : {};
    return outbox.claim(tx, { kind: 'test', to: user.email, userId: principal.userId, data });
  });
  const { outcome, answer } = await outbox.send(claimed);
  const kept = outcome === 'captured';
  const body: TestEmailResponse = { success: succeeded(outcome), kept, to: claimed.job.to, answer };
  return c.json(body);
}
