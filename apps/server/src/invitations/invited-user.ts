/** Finds or creates the user and the profile of an invitation, under a lock of the user row. */
import { type Transaction, sql } from '@lanternrock/postgres';
import {
  findInvitableUser,
  lockUserByEmail,
  prepareInvited,
  type InvitableUser,
  type InvitedUser,
} from '@lanternrock/auth/users';

interface ExistingUser extends InvitableUser {
  /** An active administrator. */
  readonly administrator: boolean;
}

export async function isActiveAdministrator(tx: Transaction, userId: string): Promise<boolean> {
  const rows = await tx.query(sql`select from private.active_administrators where id = ${userId}`);
  return rows.length > 0;
}

/**
 * Locks the user row, and so waits for concurrent changes such as an acceptance, then reads the user in statements
 * that see the changes.
 */
export async function findExistingUser(
  tx: Transaction,
  email: string,
  now: Date,
): Promise<ExistingUser | null> {
  await lockUserByEmail(tx, email);
  const user = await findInvitableUser(tx, email, now);
  return user && { ...user, administrator: await isActiveAdministrator(tx, user.id) };
}

/** Creates the user, or prepares an existing one so that the invitation can be accepted. Returns the user ID. */
export async function ensureInvitedUser(
  tx: Transaction,
  user: ExistingUser | null,
  invited: InvitedUser,
): Promise<string> {
  const id = await prepareInvited(tx, user, invited);
  // The name of a user who can sign in does not change until the invitation is accepted.
  const changesName = user === null || user.isBlocked || !user.canSignIn;
  await tx.query(
    sql`insert into public.profiles as p (id, full_name) values (${id}, ${invited.fullName})
        on conflict (id) do update set full_name = excluded.full_name
        where ${changesName}::boolean and p.full_name <> excluded.full_name`,
  );
  return id;
}

/** Returns the display name of an administrator, or the email. */
export async function readInviterName(tx: Transaction, userId: string): Promise<string | null> {
  const [row] = await tx.query<{ name: string | null }>(
    sql`select private.display_name(p.full_name, u.email) as name
        from auth.users u left join public.profiles p on p.id = u.id where u.id = ${userId}`,
  );
  return row?.name ?? null;
}
