/**
 * Creates or prepares the user of an invitation. There are three cases:
 * - A new user, or one who cannot sign in: the user must set a password first. A user with an unconfirmed email address
 *   counts as new, and the password and sign-in methods of the person who signed up are removed.
 * - A user who can sign in but does not have the role: nothing changes until the invitation is accepted.
 * - A removed, banned or deleted user: can return only with the emailed link. The password and all sign-in methods are
 *   removed, because a compromised password may be the reason for the removal.
 */
import { type Transaction, sql } from '@lanternrock/postgres';
import { exceptVerifiedEmail, allMethods, removeSignInMethods } from '../auth/users/sign-in-methods.ts';

export interface ExistingUser {
  readonly id: string;
  /** Has the role and is neither banned nor deleted. */
  readonly administrator: boolean;
  /** Banned or deleted. */
  readonly isBlocked: boolean;
  /** Has a sign-in method and a confirmed email address. */
  readonly canSignIn: boolean;
}

/**
 * Locks the user row, and so waits for concurrent changes such as an acceptance. Must be a separate statement: a
 * statement that locks and reads would see the roles from before the wait.
 */
export async function lockUserByEmail(tx: Transaction, email: string): Promise<void> {
  await tx.query(sql`select from auth.users where email = ${email} for update`);
}

export async function findExistingUser(
  tx: Transaction,
  email: string,
  now: Date,
): Promise<ExistingUser | null> {
  await lockUserByEmail(tx, email);
  const [row] = await tx.query<{ id: string; role: boolean; is_blocked: boolean; can_sign_in: boolean }>(
    sql`select u.id,
          exists (select from public.user_roles r where r.user_id = u.id and r.role = 'platform_admin') as role,
          (u.deleted_at is not null or coalesce(u.banned_until > ${now}, false)) as is_blocked,
          u.email_confirmed_at is not null and (u.encrypted_password is not null
            or exists (select from auth.identities i where i.user_id = u.id and i.provider <> 'email')) as can_sign_in
        from auth.users u where u.email = ${email}`,
  );
  if (!row) return null;
  return {
    id: row.id,
    administrator: row.role && !row.is_blocked,
    isBlocked: row.is_blocked,
    canSignIn: row.can_sign_in,
  };
}

export interface InvitedUser {
  readonly email: string;
  readonly fullName: string;
  readonly now: Date;
}

/** Creates the user, or prepares an existing one so that the invitation can be accepted. Returns the user ID. */
export async function ensureInvitedUser(
  tx: Transaction,
  user: ExistingUser | null,
  invited: InvitedUser,
): Promise<string> {
  const id = user ? user.id : await createUser(tx, invited);
  if (user?.isBlocked) await unblock(tx, id, invited);
  else if (user && !user.canSignIn) await resetUnconfirmed(tx, id, invited);
  await ensureRequiredRows(tx, id, invited);
  return id;
}

async function createUser(tx: Transaction, { email, fullName, now }: InvitedUser): Promise<string> {
  const appData = { provider: 'email', providers: ['email'], setup_required: true };
  const [row] = await tx.query<{ id: string }>(
    sql`insert into auth.users (email, raw_app_meta_data, raw_user_meta_data, invited_at, created_at, updated_at)
        values (${email}, ${JSON.stringify(appData)}, ${JSON.stringify({ full_name: fullName })}, ${now}, ${now}, ${now})
        returning id`,
  );
  if (!row) throw new Error('The user was not created');
  return row.id;
}

async function requireSetup(tx: Transaction, id: string, { fullName, now }: InvitedUser): Promise<void> {
  await tx.query(
    sql`update auth.users
        set raw_app_meta_data = raw_app_meta_data || '{"setup_required": true}',
            raw_user_meta_data = raw_user_meta_data || jsonb_build_object('full_name', ${fullName}::text),
            invited_at = ${now}, updated_at = ${now}
        where id = ${id}`,
  );
  await tx.query(
    sql`update public.profiles set full_name = ${fullName} where id = ${id} and full_name <> ${fullName}`,
  );
}

/**
 * Removes the credentials of an unconfirmed user. Keeps sessions of invitation links and identities with the verified
 * email address, because the invited user may be accepting the invitation when it is sent again.
 */
async function resetUnconfirmed(tx: Transaction, id: string, invited: InvitedUser): Promise<void> {
  await removeSignInMethods(tx, id, invited.now, exceptVerifiedEmail);
  await tx.query(sql`update auth.users set encrypted_password = null where id = ${id}`);
  await tx.query(
    sql`delete from auth.sessions where user_id = ${id} and coalesce(tag, '') not like 'invitation:%'`,
  );
  await requireSetup(tx, id, invited);
}

async function unblock(tx: Transaction, id: string, invited: InvitedUser): Promise<void> {
  await tx.query(
    sql`update auth.users set banned_until = null, deleted_at = null, encrypted_password = null where id = ${id}`,
  );
  await removeSignInMethods(tx, id, invited.now, allMethods);
  await tx.query(sql`delete from auth.sessions where user_id = ${id}`);
  await tx.query(sql`delete from auth.one_time_tokens where user_id = ${id}`);
  await requireSetup(tx, id, invited);
}

/** Creates the rows that every user needs, if an operator deleted them. */
async function ensureRequiredRows(
  tx: Transaction,
  id: string,
  { email, fullName }: InvitedUser,
): Promise<void> {
  const identity = { sub: id, email, email_verified: false, phone_verified: false };
  await tx.query(
    sql`insert into auth.identities (user_id, provider, provider_id, identity_data)
        values (${id}, 'email', ${id}, ${JSON.stringify(identity)})
        on conflict (provider, provider_id) do nothing`,
  );
  await tx.query(
    sql`insert into public.profiles (id, full_name) values (${id}, ${fullName}) on conflict (id) do nothing`,
  );
}
