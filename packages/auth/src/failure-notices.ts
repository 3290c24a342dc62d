/** Sends an email to a user after failed attempts at its credentials. */
import { isEmail } from '@lanternrock/contract/email';
import { sql } from '@lanternrock/postgres';
import type { AuthContext } from './auth-context.ts';
import type { ClientInfo } from './client-info.ts';
import { toNoticeOrigin } from './notice-origin.ts';
import type { AttemptPurpose } from './ports.ts';
import { isUuid } from '@lanternrock/contract/uuid';

/** Recipient of the decoy for an identifier that is no email address. Nothing is sent to it. */
const noAddress = 'unknown@invalid.example';

/** Sends the email. For an unknown identifier the same statements run and nothing is sent. */
export const notifyOfFailures =
  ({ database, mailer, now }: Pick<AuthContext, 'database' | 'mailer' | 'now'>) =>
  async (
    identifier: string,
    client: Pick<ClientInfo, 'ip' | 'userAgent'>,
    purpose: AttemptPurpose,
  ): Promise<void> => {
    await database.transaction(async (tx) => {
      const [user] = await tx.query<{ id: string; email: string }>(sql`select id, email from auth.users
        where (email = ${identifier} or phone = ${identifier} or id = ${isUuid(identifier) ? identifier : null}::uuid)
          and email is not null and email_confirmed_at is not null and deleted_at is null`);
      const to = user?.email ?? (isEmail(identifier) ? identifier : noAddress);
      await mailer.enqueue(tx, {
        kind: 'sign_in_failed',
        to,
        userId: user?.id ?? null,
        data: { purpose, ...toNoticeOrigin({ client, now: await now(tx) }) },
        decoy: !user,
      });
    });
    mailer.wake();
  };
