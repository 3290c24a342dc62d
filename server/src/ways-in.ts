/** What opens an account besides its mailbox and its password. */
import type { Transaction } from './database/database.ts';
import { sql } from './database/sql.ts';

export interface WaysKept {
  /** Keeps an identity whose provider has verified the account's own address: it shows the same mailbox. */
  readonly keepProved: boolean;
}

/**
 * Takes away provider identities, the phone number, passkeys, second factors, recovery codes, changes
 * of address under way and sign-ins half done. Password, sessions and mailed links are the caller's:
 * which of them stay depends on what has just been proved.
 */
export async function dropWaysIn(
  tx: Transaction,
  userId: string,
  now: Date,
  { keepProved }: WaysKept,
): Promise<void> {
  await tx.query(sql`select id from auth.users where id = ${userId} for update`);
  await tx.query(sql`delete from auth.identities i using auth.users u
    where u.id = ${userId} and i.user_id = u.id and i.provider <> 'email'
      and not (${keepProved}::boolean and i.email is not distinct from u.email
        and coalesce((i.identity_data ->> 'email_verified')::boolean, false))`);
  await tx.query(sql`delete from auth.webauthn_credentials where user_id = ${userId}`);
  await tx.query(sql`delete from auth.webauthn_challenges where user_id = ${userId}`);
  await tx.query(sql`delete from auth.mfa_factors where user_id = ${userId}`);
  await tx.query(sql`delete from auth.recovery_code_sets where user_id = ${userId}`);
  await tx.query(sql`delete from auth.one_time_tokens where user_id = ${userId}
    and token_type::text in ('email_change_current', 'email_change_new', 'phone_change')`);
  // A provider's answer that is still on its way would be attached afterwards.
  await tx.query(sql`delete from auth.flow_state where linking_target_id = ${userId}
    or (user_id = ${userId} and auth_code_hash is not null and session_id is null and invite_token_hash is null)`);
  await tx.query(sql`update auth.users set phone = null, phone_confirmed_at = null, phone_change = null,
      email_change = null, email_change_confirm_status = 0, updated_at = ${now},
      raw_app_meta_data = raw_app_meta_data || jsonb_build_object('provider', 'email', 'providers',
        '["email"]'::jsonb || coalesce((select jsonb_agg(distinct provider) from auth.identities
          where user_id = ${userId} and provider <> 'email'), '[]'))
    where id = ${userId}`);
}
