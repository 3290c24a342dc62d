/** Sign-in methods other than email and password. */
import type { SignInMethod } from '@lanternrock/contract/sign-in-methods';
import { type Transaction, sql } from '@lanternrock/postgres';
import { deletePendingFlows } from './revocation.ts';

export interface SignInMethodRow extends Pick<SignInMethod, 'id' | 'kind' | 'name'> {
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  /** True for an identity whose provider verified the user's current email address. */
  readonly proves_email: boolean;
}

/**
 * Lists passkeys, linked identities and the phone number of a user, oldest first. The number is its own ID, so that a
 * choice for one number never applies to another.
 */
export function listSignInMethods(tx: Transaction, userId: string): Promise<SignInMethodRow[]> {
  return tx.query<SignInMethodRow>(sql`
    select id::text, 'passkey' as kind, coalesce(friendly_name, 'Passkey') as name, created_at, last_used_at,
        false as proves_email
      from auth.webauthn_credentials where user_id = ${userId}
    union all
    select i.id::text, 'identity',
        i.provider || ': ' || coalesce(i.email, i.identity_data ->> 'user_name',
          i.identity_data ->> 'preferred_username', i.identity_data ->> 'name', i.provider_id),
        i.created_at, i.last_sign_in_at,
        i.email is not distinct from u.email and coalesce((i.identity_data ->> 'email_verified')::boolean, false)
      from auth.identities i join auth.users u on u.id = i.user_id
      where i.user_id = ${userId} and i.provider not in ('email', 'phone')
    union all
    select phone, 'phone', '+' || phone, coalesce(phone_confirmed_at, created_at), null, false
      from auth.users where id = ${userId} and phone is not null
    order by created_at, id`);
}

/** Returns true if the user has a passkey that counts as two factors while `passkeysGiveAal2` is true. */
export async function hasVerifyingPasskey(tx: Transaction, userId: string): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(
    sql`select auth.has_verifying_passkey(${userId}) as found`,
  );
  return row?.found === true;
}

export interface Removal {
  readonly keep: (method: SignInMethodRow) => boolean;
  /** `all`: also verified factors and recovery codes. `unverified`: verified factors stay, because the user verifies them. */
  readonly factors: 'all' | 'unverified';
}

export interface RemovalResult {
  readonly kept: readonly SignInMethodRow[];
  readonly removed: readonly SignInMethodRow[];
}

/**
 * Removes sign-in methods, second factors, pending changes of email or phone, WebAuthn challenges and unfinished
 * OAuth flows. The caller handles password, sessions and email links, whose rules differ between the flows. Locks the
 * user first, so that no method is added concurrently.
 */
export async function removeSignInMethods(
  tx: Transaction,
  userId: string,
  now: Date,
  { keep, factors }: Removal,
): Promise<RemovalResult> {
  await tx.query(sql`select id from auth.users where id = ${userId} for no key update`);
  const methods = await listSignInMethods(tx, userId);
  const kept = methods.filter(keep);
  const keptIds = kept.map(({ id }) => id);
  const keepsPhone = kept.some(({ kind }) => kind === 'phone');
  await tx.query(sql`delete from auth.identities where user_id = ${userId} and provider <> 'email'
    and not (case provider when 'phone' then ${keepsPhone}::boolean else id::text = any (${keptIds}::text[]) end)`);
  await tx.query(sql`delete from auth.webauthn_credentials
    where user_id = ${userId} and id::text <> all (${keptIds}::text[])`);
  await tx.query(sql`delete from auth.webauthn_challenges where user_id = ${userId}`);
  await tx.query(sql`delete from auth.mfa_factors
    where user_id = ${userId} and (status = 'unverified' or ${factors === 'all'}::boolean)`);
  // Recovery codes replace a lost factor; without another factor they would be one.
  await tx.query(sql`delete from auth.recovery_code_sets s where s.user_id = ${userId}
    and not exists (select from auth.mfa_factors f where f.user_id = s.user_id and f.status = 'verified')`);
  await tx.query(sql`delete from auth.one_time_tokens where user_id = ${userId}
    and token_type::text in ('email_change_current', 'email_change_new', 'phone_change')`);
  await deletePendingFlows(tx, userId);
  await tx.query(sql`update auth.users set phone = case when ${keepsPhone}::boolean then phone end,
      phone_confirmed_at = case when ${keepsPhone}::boolean then phone_confirmed_at end, phone_change = null,
      email_change = null, email_change_confirm_status = 0, updated_at = ${now},
      raw_app_meta_data = raw_app_meta_data || jsonb_build_object('provider', 'email', 'providers',
        '["email"]'::jsonb || coalesce((select jsonb_agg(distinct provider) from auth.identities
          where user_id = ${userId} and provider <> 'email'), '[]'))
    where id = ${userId}`);
  return { kept, removed: methods.filter((method) => !kept.includes(method)) };
}

/** For an unconfirmed email address: a verified identity with the same address proves control of the mailbox. */
export const exceptVerifiedEmail: Removal = { keep: ({ proves_email }) => proves_email, factors: 'all' };
export const allMethods: Removal = { keep: () => false, factors: 'all' };
