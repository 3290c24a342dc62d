/** Sends an email to the owner of an account after failed sign-in attempts. */
import { isEmail } from '@lanternrock/contract/email';
import { sql } from '@lanternrock/postgres';
import type { AuthContext } from './auth-context.ts';
import { isUuid } from './uuid.ts';

/** Recipient of the decoy for an account without an email address. Nothing is sent to it. */
const noAddress = 'unknown@invalid.example';

/** Sends the email. For an unknown account the same statements run and nothing is sent. */
export const notifyOfFailures =
  ({ database, mailer }: Pick<AuthContext, 'database' | 'mailer'>) =>
  async (account: string): Promise<void> => {
    await database.transaction(async (tx) => {
      const [user] = await tx.query<{ id: string; email: string }>(sql`select id, email from auth.users
        where (email = ${account} or phone = ${account} or id = ${isUuid(account) ? account : null}::uuid)
          and email is not null and email_confirmed_at is not null and deleted_at is null`);
      const to = user?.email ?? (isEmail(account) ? account : noAddress);
      await mailer.enqueue(tx, { kind: 'sign_in_failed', to, userId: user?.id ?? null, decoy: !user });
    });
    mailer.wake();
  };
