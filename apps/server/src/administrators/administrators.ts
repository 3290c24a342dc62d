/** Removes and restores administrators. Each action is one transaction. */
import { QueryError } from '@lanternrock/postgres/errors';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { compileRecord } from '../activity/activity-scan.ts';
import { startUndo } from '../audit-log.ts';
import { DomainError } from '../errors.ts';
import { notifyOfAccess, type NoticeSender } from './administrator-notices.ts';
import { runOnEmail, type EmailAction } from './email-action.ts';
import { blockUser, findUserByEmail, lockUserByEmail, unblockUser } from '@lanternrock/auth/users';

/** Without a sender, nobody is informed: the commands must work if settings and keys are lost. */
interface AccessAction extends EmailAction {
  readonly notices?: NoticeSender;
}

interface ExistingUser {
  readonly id: string;
  /** Has the role, also if it has ended. */
  readonly administrator: boolean;
  readonly roleEndsAt: Date | null;
}

/** Locks the user row, then reads the user in a second statement that sees the roles after the lock. */
async function findUser(tx: Transaction, email: string): Promise<ExistingUser | null> {
  await lockUserByEmail(tx, email);
  const user = await findUserByEmail(tx, email);
  if (!user) return null;
  const [role] = await tx.query<{ endsAt: Date | null }>(
    sql`select ends_at as "endsAt" from public.user_roles where user_id = ${user.id} and role = 'platform_admin'`,
  );
  return { id: user.id, administrator: role !== undefined, roleEndsAt: role?.endsAt ?? null };
}

/**
 * Removes the role, bans the user, and deletes all sessions and one-time tokens. The invitation gets the status
 * `removed`; a new invitation reopens it. The user and the other administrators get an email.
 *
 * @throws DomainError not_administrator
 * @throws DomainError last_administrator
 */
export async function removeAdministrator(database: Database, action: AccessAction): Promise<void> {
  const { email, notices } = action;
  try {
    await runOnEmail(database, action, async (tx) => {
      const user = await findUser(tx, email);
      if (!user?.administrator)
        throw new DomainError('not_administrator', `${email} is not an administrator.`);
      await tx.query(
        sql`delete from public.user_roles where user_id = ${user.id} and role = 'platform_admin'`,
      );
      await blockUser(tx, user.id);
      await tx.query(sql`update private.invitations set status = 'removed', role_ends_at = ${user.roleEndsAt}
        where user_id = ${user.id}`);
      if (notices)
        await notifyOfAccess(tx, notices, { event: 'removed', user: { id: user.id, email }, endsAt: null });
    });
    notices?.outbox.wake();
  } catch (error) {
    // A trigger enforces the rule, so that it applies to all APIs. A check constraint would have a name.
    if (!(error instanceof QueryError) || error.code !== '23514' || error.constraint !== null) throw error;
    const message =
      'One administrator without an end date must remain. Invite another administrator first, or remove the end date of one.';
    throw new DomainError('last_administrator', message, { cause: error });
  }
}

/** Names the entry of the removal. */
async function startRestoration(tx: Transaction, email: string): Promise<void> {
  const record = compileRecord('l');
  const [removal] = await tx.query<{ id: string }>({
    text: `select l.id::text from private.invitations i cross join lateral (
        select l.id from private.audit_log l
          -- Not now(): a removal can have begun after the transaction, which waited for it.
          where (${record}, l.at) <= (i.user_id::text, 'infinity'::timestamptz) and ${record} = i.user_id::text
            and l.table_name = 'public.user_roles' and l.action = 'DELETE'
          order by ${record} desc, l.at desc, l.id desc limit 1
      ) l where i.email = $1 and i.status = 'removed'`,
    values: [email],
  });
  if (removal) await startUndo(tx, removal.id);
}

/**
 * Reverts a removal: the user gets the role back, with its end, and can sign in with the previous password. The user and the
 * other administrators get an email.
 *
 * @returns the end of the role if it has passed; null if the user is an administrator now
 * @throws DomainError not_removed
 */
export async function restoreAdministrator(database: Database, action: AccessAction): Promise<Date | null> {
  const { email, notices } = action;
  const endedAt = await runOnEmail(database, action, async (tx) => {
    await startRestoration(tx, email);
    const restored = await tx.query<{ user_id: string; email: string | null; role_ends_at: Date | null }>(
      sql`update private.invitations i set status = 'accepted'
          from auth.users u
          where u.id = i.user_id and u.deleted_at is null and i.email = ${email} and i.status = 'removed'
          returning i.user_id, u.email, i.role_ends_at`,
    );
    const [user] = restored;
    if (!user) {
      const administrator = (await findUser(tx, email))?.administrator ?? false;
      const reason = administrator
        ? 'is already an administrator.'
        : 'was not removed. Send an invitation instead.';
      throw new DomainError('not_removed', `${email} ${reason}`);
    }
    await unblockUser(tx, user.user_id);
    await tx.query(
      sql`insert into public.user_roles (user_id, role, ends_at)
          values (${user.user_id}, 'platform_admin', ${user.role_ends_at})
          on conflict (user_id, role) do nothing`,
    );
    const [role] = await tx.query<{ ended_at: Date }>(
      sql`select ends_at as ended_at from public.user_roles
          where user_id = ${user.user_id} and role = 'platform_admin' and ends_at <= now()`,
    );
    const endsAt = role?.ended_at ?? null;
    // The user may have changed the email address since the invitation.
    const restoredUser = { id: user.user_id, email: user.email };
    if (notices) await notifyOfAccess(tx, notices, { event: 'restored', user: restoredUser, endsAt });
    return endsAt;
  });
  notices?.outbox.wake();
  return endedAt;
}
