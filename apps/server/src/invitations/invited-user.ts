/**
 * The person behind an invitation. Three cases:
 * - nobody yet, or somebody who never had a way to sign in: the user must set a password first;
 *   an account whose address nobody has confirmed counts as none, whoever made it loses it;
 * - somebody who can sign in but lacks the role: nothing of the user changes until acceptance, the old
 *   password included;
 * - somebody removed, banned or deleted: comes back, but only by the mailed link. The old password is
 *   gone, and every other way in, because whoever knew it may be the reason for the removal.
 */
import { type Transaction, sql } from '@lanternrock/postgres';
import { exceptVerifiedEmail, allMethods, removeSignInMethods } from '../sign-in-methods.ts';

export interface ExistingUser {
  readonly id: string;
  /** Holds the role, is neither banned nor deleted. */
  readonly administrator: boolean;
  /** Banned or deleted. */
  readonly isBlocked: boolean;
  /** Can sign in some way today, and has shown that the address is theirs. */
  readonly canSignIn: boolean;
}

/**
 * Waits for whoever changes this user now, such as an acceptance. A statement of its own: one that
 * reads and locks at once would still see roles as they were before the wait.
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
  const [row] = await tx.query<{ id: string; role: boolean; shut_out: boolean; settled: boolean }>(
    sql`select u.id,
          exists (select from public.user_roles r where r.user_id = u.id and r.role = 'platform_admin') as role,
          (u.deleted_at is not null or coalesce(u.banned_until > ${now}, false)) as shut_out,
          u.email_confirmed_at is not null and (u.encrypted_password is not null
            or exists (select from auth.identities i where i.user_id = u.id and i.provider <> 'email')) as settled
        from auth.users u where u.email = ${email}`,
  );
  if (!row) return null;
  return {
    id: row.id,
    administrator: row.role && !row.shut_out,
    isBlocked: row.shut_out,
    canSignIn: row.settled,
  };
}

export interface InvitedUser {
  readonly email: string;
  readonly fullName: string;
  readonly now: Date;
}

/** Makes the user, or brings an existing one into the state in which the link can be accepted. */
export async function ensureInvitedUser(
  tx: Transaction,
  person: ExistingUser | null,
  invited: InvitedUser,
): Promise<string> {
  const id = person ? person.id : await createUser(tx, invited);
  if (person?.isBlocked) await readmit(tx, id, invited);
  else if (person && !person.canSignIn) await claimUnproved(tx, id, invited);
  await healRecords(tx, id, invited);
  return id;
}

async function createUser(tx: Transaction, { email, fullName, now }: InvitedUser): Promise<string> {
  const appData = { provider: 'email', providers: ['email'], setup_required: true };
  const [row] = await tx.query<{ id: string }>(
    sql`insert into auth.users (email, raw_app_meta_data, raw_user_meta_data, invited_at, created_at, updated_at)
        values (${email}, ${JSON.stringify(appData)}, ${JSON.stringify({ full_name: fullName })}, ${now}, ${now}, ${now})
        returning id`,
  );
  if (!row) throw new Error('No user was made');
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
 * Sessions of this invitation's links and what a provider verified on their way stay: the same person
 * may be in the middle of accepting when the invitation is sent again.
 */
async function claimUnproved(tx: Transaction, id: string, invited: InvitedUser): Promise<void> {
  await removeSignInMethods(tx, id, invited.now, exceptVerifiedEmail);
  await tx.query(sql`update auth.users set encrypted_password = null where id = ${id}`);
  await tx.query(
    sql`delete from auth.sessions where user_id = ${id} and coalesce(tag, '') not like 'invitation:%'`,
  );
  await requireSetup(tx, id, invited);
}

async function readmit(tx: Transaction, id: string, invited: InvitedUser): Promise<void> {
  await tx.query(
    sql`update auth.users set banned_until = null, deleted_at = null, encrypted_password = null where id = ${id}`,
  );
  await removeSignInMethods(tx, id, invited.now, allMethods);
  await tx.query(sql`delete from auth.sessions where user_id = ${id}`);
  await tx.query(sql`delete from auth.one_time_tokens where user_id = ${id}`);
  await requireSetup(tx, id, invited);
}

/** Rows that belong to every user; missing after damage by hand, made again here. */
async function healRecords(tx: Transaction, id: string, { email, fullName }: InvitedUser): Promise<void> {
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
