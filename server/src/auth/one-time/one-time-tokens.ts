/**
 * Secrets sent by mail or text message: a 256-bit token for the link and a six-digit code, made
 * independently. Only a hash of the token and a keyed hash of the code are stored.
 */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Transaction } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { secondsFrom, type AuthContext } from '../auth-context.ts';

export type TokenType =
  | 'confirmation'
  | 'invitation'
  | 'recovery'
  | 'magic_link'
  | 'reauthentication'
  | 'email_change_current'
  | 'email_change_new'
  | 'phone'
  | 'phone_change';

export interface OneTimeSecret {
  readonly token: string;
  readonly code: string;
  readonly expiresAt: Date;
}

export interface TokenRecord {
  readonly id: string;
  readonly user_id: string;
  readonly token_type: TokenType;
  readonly relates_to: string;
  readonly flow_state_id: string | null;
  readonly code_hash: Uint8Array | null;
  readonly tries: number;
}

/** Wrong tries after which a code is void. */
const triesPerCode = 5;

const newLinkToken = (): string => randomBytes(32).toString('base64url');

export const linkTokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

export function newSecret(context: AuthContext, lifetime: number): OneTimeSecret {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  return { token: newLinkToken(), code, expiresAt: secondsFrom(context.now(), lifetime) };
}

/** The keyed hash under which a code is stored; tied to its kind and its address. */
const codeHash = (context: AuthContext, type: TokenType, relatesTo: string, code: string): Buffer =>
  context.keys.mac(`${type}:${relatesTo}:${code}`, 'one-time code');

export interface StoredSecret {
  /** Null runs the same statement and stores nothing. */
  readonly userId: string | null;
  readonly type: TokenType;
  readonly secret: OneTimeSecret;
  /** The address or number it was sent to. */
  readonly relatesTo: string;
  readonly flowStateId?: string | null;
}

/** Links of one user for a recovery that may be live at once; there are no more, so no request ends an earlier one. */
export const maxRecoveryLinks = 3;

/** Stores a secret in place of an earlier one of the same kind, except for recoveries, which are added. */
export async function storeSecret(
  tx: Transaction,
  context: AuthContext,
  stored: StoredSecret,
): Promise<void> {
  const { userId, type, secret, relatesTo, flowStateId = null } = stored;
  await tx.query(sql`insert into auth.one_time_tokens
      (user_id, token_type, token_hash, code_hash, relates_to, flow_state_id, expires_at, created_at)
    select ${userId}::uuid, ${type}::auth.one_time_token_type, ${linkTokenHash(secret.token)},
      ${codeHash(context, type, relatesTo, secret.code)}, ${relatesTo}, ${flowStateId}::uuid, ${secret.expiresAt}::timestamptz,
      ${context.now()}::timestamptz
    where ${userId}::uuid is not null
    on conflict (user_id, token_type) where token_type <> 'recovery' do update set
      token_hash = excluded.token_hash, code_hash = excluded.code_hash, relates_to = excluded.relates_to,
      flow_state_id = excluded.flow_state_id, expires_at = excluded.expires_at,
      created_at = excluded.created_at, tries = 0`);
}

/** Locks and returns the live token of a link; null when it is unknown, used, replaced or too old. */
export async function findByLink(
  tx: Transaction,
  context: AuthContext,
  types: readonly TokenType[],
  token: string,
): Promise<TokenRecord | null> {
  // The person first, then the token: two tokens of one person are used one after the other, and a
  // password change, which locks in the same order, never waits in a circle.
  await tx.query(sql`select from auth.users u where u.id in (
    select t.user_id from auth.one_time_tokens t where t.token_hash = ${linkTokenHash(token)}) for update`);
  const [row] = await tx.query<TokenRecord>(sql`select * from auth.one_time_tokens
    where token_hash = ${linkTokenHash(token)} and token_type = any (${types}::auth.one_time_token_type[])
      and expires_at > ${context.now()} for update`);
  return row ?? null;
}

/** Whether a link is known and past its time. Used and replaced ones leave nothing behind. */
export async function isExpiredLink(
  tx: Transaction,
  context: AuthContext,
  types: readonly TokenType[],
  token: string,
): Promise<boolean> {
  const rows = await tx.query(sql`select from auth.one_time_tokens
    where token_hash = ${linkTokenHash(token)} and token_type = any (${types}::auth.one_time_token_type[])
      and expires_at <= ${context.now()}`);
  return rows.length > 0;
}

/**
 * Compares a code with the live ones sent to an address, newest first. A wrong try is counted on each
 * of them; the caller must let the transaction commit for that to last.
 */
export async function findByCode(
  tx: Transaction,
  context: AuthContext,
  types: readonly TokenType[],
  relatesTo: string,
  code: string,
): Promise<TokenRecord | null> {
  await tx.query(sql`select from auth.users u where u.id in (
    select t.user_id from auth.one_time_tokens t where t.relates_to = ${relatesTo}) order by u.id for update`);
  const rows = await tx.query<TokenRecord>(sql`select * from auth.one_time_tokens
    where relates_to = ${relatesTo} and token_type = any (${types}::auth.one_time_token_type[])
      and expires_at > ${context.now()} and tries < ${triesPerCode} and code_hash is not null
    order by created_at desc for update`);
  const found = rows.find(
    (row) =>
      row.code_hash && timingSafeEqual(codeHash(context, row.token_type, relatesTo, code), row.code_hash),
  );
  if (found) return found;
  await tx.query(
    sql`update auth.one_time_tokens set tries = tries + 1 where id = any (${rows.map((row) => row.id)}::uuid[])`,
  );
  return null;
}

/** Its link, where it has one, stays as good as it was. */
export async function forgetCode(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql`update auth.one_time_tokens set code_hash = null where id = ${id}`);
}

/** After a password or an address changed, no earlier mail opens anything. */
export async function eraseSecrets(tx: Transaction, userId: string): Promise<void> {
  await tx.query(sql`delete from auth.one_time_tokens where user_id = ${userId}`);
}
