/**
 * One-time tokens of emails and text messages: an independent 256-bit token for the link and a six-digit code. Only a
 * hash of the token and an HMAC of the code are stored.
 */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { type Transaction, sql } from '@lanternrock/postgres';
import { addSeconds } from '@lanternrock/postgres/clock';
import type { AuthContext } from '../auth-context.ts';
import type { OneTimeToken } from '../ports.ts';

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

export interface OneTimeTokenRecord {
  readonly id: string;
  readonly user_id: string;
  readonly token_type: TokenType;
  readonly relates_to: string;
  readonly flow_state_id: string | null;
  readonly code_hash: Uint8Array | null;
  readonly tries: number;
}

/** Failed attempts after which a code is rejected. */
const maxAttemptsPerCode = 5;

const generateLinkToken = (): string => randomBytes(32).toString('base64url');

/** SHA-256 without a salt is sufficient, because the token has 256 bits of entropy. */
export const hashLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export function createOneTimeToken(now: Date, ttlSeconds: number): OneTimeToken {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  return { token: generateLinkToken(), code, expiresAt: addSeconds(now, ttlSeconds) };
}

/** Returns the stored HMAC of a code, bound to its type and recipient. */
const hashOneTimeCode = (context: AuthContext, type: TokenType, relatesTo: string, code: string): Buffer =>
  context.keys.hmac(`${type}:${relatesTo}:${code}`, 'one-time code');

export interface NewOneTimeToken {
  /** Null runs the same statement and stores nothing. */
  readonly userId: string | null;
  readonly type: TokenType;
  readonly oneTimeToken: OneTimeToken;
  /** The email address or phone number of the recipient. */
  readonly relatesTo: string;
  readonly flowStateId?: string | null;
}

/**
 * Maximum number of valid recovery links, and of magic links, of one user. Any client can request them. At the maximum
 * none is added, so a request replaces no earlier link.
 */
export const maxLinks = 3;

/** Returns true if another magic link can be sent. Runs the same statement for an unknown user. */
export async function canAddMagicLink(
  tx: Transaction,
  context: AuthContext,
  userId: string | null,
): Promise<boolean> {
  const rows = await tx.query(sql`select from auth.one_time_tokens where user_id = ${userId}::uuid
    and token_type = 'magic_link' and expires_at > ${await context.now(tx)}`);
  return rows.length < maxLinks;
}

/** Deletes the magic links of a user, so that the next one replaces them. */
export async function deleteMagicLinks(tx: Transaction, userId: string): Promise<void> {
  await tx.query(
    sql`delete from auth.one_time_tokens where user_id = ${userId} and token_type = 'magic_link'`,
  );
}

/** Stores a token in place of an earlier one of the same type. Recovery and magic links are added instead. */
export async function storeOneTimeToken(
  tx: Transaction,
  context: AuthContext,
  newToken: NewOneTimeToken,
): Promise<void> {
  const { userId, type, oneTimeToken, relatesTo, flowStateId = null } = newToken;
  await tx.query(sql`insert into auth.one_time_tokens
      (user_id, token_type, token_hash, code_hash, relates_to, flow_state_id, expires_at, created_at)
    select ${userId}::uuid, ${type}::auth.one_time_token_type, ${hashLinkToken(oneTimeToken.token)},
      ${hashOneTimeCode(context, type, relatesTo, oneTimeToken.code)}, ${relatesTo}, ${flowStateId}::uuid, ${oneTimeToken.expiresAt}::timestamptz,
      ${await context.now(tx)}::timestamptz
    where ${userId}::uuid is not null
    on conflict (user_id, token_type) where token_type not in ('recovery', 'magic_link') do update set
      token_hash = excluded.token_hash, code_hash = excluded.code_hash, relates_to = excluded.relates_to,
      flow_state_id = excluded.flow_state_id, expires_at = excluded.expires_at,
      created_at = excluded.created_at, tries = 0`);
}

/** Locks and returns the valid token of a link; null if it is unknown, consumed, replaced or expired. */
export async function findTokenByLink(
  tx: Transaction,
  context: AuthContext,
  types: readonly TokenType[],
  token: string,
): Promise<OneTimeTokenRecord | null> {
  // Locks the user first, then the token. Two tokens of one user are redeemed in sequence, and a password change,
  // which locks in the same order, cannot deadlock.
  await tx.query(sql`select from auth.users u where u.id in (
    select t.user_id from auth.one_time_tokens t where t.token_hash = ${hashLinkToken(token)}) for no key update`);
  const [row] = await tx.query<OneTimeTokenRecord>(sql`select * from auth.one_time_tokens
    where token_hash = ${hashLinkToken(token)} and token_type = any (${types}::auth.one_time_token_type[])
      and expires_at > ${await context.now(tx)} for update`);
  return row ?? null;
}

/** Returns true if a link is known and expired. Consumed and replaced tokens are deleted, so they are unknown. */
export async function isExpiredToken(
  tx: Transaction,
  context: AuthContext,
  types: readonly TokenType[],
  token: string,
): Promise<boolean> {
  const rows = await tx.query(sql`select from auth.one_time_tokens
    where token_hash = ${hashLinkToken(token)} and token_type = any (${types}::auth.one_time_token_type[])
      and expires_at <= ${await context.now(tx)}`);
  return rows.length > 0;
}

interface CodeAttempt {
  readonly types: readonly TokenType[];
  /** The email address or phone number of the recipient. */
  readonly relatesTo: string;
  readonly code: string;
}

/**
 * Finds the valid token of a recipient by its code, newest first. A failed attempt is counted for all of them, if the
 * caller commits the transaction.
 */
export async function findTokenByCode(
  tx: Transaction,
  context: AuthContext,
  { types, relatesTo, code }: CodeAttempt,
): Promise<OneTimeTokenRecord | null> {
  await tx.query(sql`select from auth.users u where u.id in (
    select t.user_id from auth.one_time_tokens t where t.relates_to = ${relatesTo}) order by u.id for no key update`);
  const rows = await tx.query<OneTimeTokenRecord>(sql`select * from auth.one_time_tokens
    where relates_to = ${relatesTo} and token_type = any (${types}::auth.one_time_token_type[])
      and expires_at > ${await context.now(tx)} and tries < ${maxAttemptsPerCode} and code_hash is not null
    order by created_at desc for update`);
  const match = rows.find(
    (row) =>
      row.code_hash &&
      timingSafeEqual(hashOneTimeCode(context, row.token_type, relatesTo, code), row.code_hash),
  );
  if (match) return match;
  await tx.query(
    sql`update auth.one_time_tokens set tries = tries + 1 where id = any (${rows.map((row) => row.id)}::uuid[])`,
  );
  return null;
}

/** Removes the code of a token. Its link stays valid. */
export async function clearCode(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql`update auth.one_time_tokens set code_hash = null where id = ${id}`);
}
