/** Reads factors and challenges, with fields that are never sent to clients. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { addSeconds } from '@lanternrock/postgres/clock';
import { AuthError } from '../auth-error.ts';
import type { SessionRecord } from '../sessions/sessions.ts';
import type { FactorState, FactorType, UserRecord } from '../users/user-records.ts';
import { isUuid } from '@lanternrock/contract/uuid';

export interface FactorRow {
  readonly id: string;
  readonly user_id: string;
  readonly friendly_name: string;
  readonly factor_type: FactorType;
  readonly status: FactorState;
  readonly secret: Uint8Array | null;
  readonly phone: string | null;
  readonly last_challenged_at: Date | null;
  /** bigint, as text. */
  readonly last_used_step: string | null;
  readonly web_authn_credential: StoredCredential | null;
  readonly created_at: Date;
}

/** TTL of an unverified factor. */
export const unverifiedFactorTtlSeconds = 300;

export const challengeTtlSeconds = 300;

/** A WebAuthn credential as JSON: ID and key in base64url. */
export interface StoredCredential {
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

export interface ChallengeRow {
  readonly id: string;
  readonly factor_id: string;
  readonly code_hash: Uint8Array | null;
  readonly tries: number;
  readonly web_authn_session_data: { readonly challenge: string; readonly type: 'create' | 'request' } | null;
  readonly created_at: Date;
  readonly verified_at: Date | null;
}

/**
 * Locks and returns a factor of the user.
 *
 * @throws AuthError 404
 */
export async function getFactor(tx: Transaction, userId: string, factorId: string): Promise<FactorRow> {
  if (!isUuid(factorId)) throw new AuthError(404, 'validation_failed', 'factor_id must be an UUID');
  const [factor] = await tx.query<FactorRow>(
    sql`select * from auth.mfa_factors where id = ${factorId} and user_id = ${userId} for update`,
  );
  if (!factor) throw factorNotFoundError();
  return factor;
}

/** Returns the status of a factor, as the guard read it; null for an unknown ID. */
export const findFactorStatus = (
  { factors }: Pick<UserRecord, 'factors'>,
  factorId: string,
): FactorRow['status'] | null => factors.find(({ id }) => id === factorId.toLowerCase())?.status ?? null;

export const factorNotFoundError = (): AuthError =>
  new AuthError(404, 'mfa_factor_not_found', 'Factor not found');

export const newFactorNeedsAal2Error = (): AuthError =>
  new AuthError(403, 'insufficient_aal', 'AAL2 required to verify a new factor');

/**
 * Locks and returns the factor if the session can verify it. At AAL1, a user with a verified factor cannot verify
 * another one, which would bypass the first. Call it in a transaction that has locked the user.
 *
 * @throws AuthError 403 `insufficient_aal`, 404
 */
export async function getVerifiableFactor(
  tx: Transaction,
  session: Pick<SessionRecord, 'user_id' | 'aal'>,
  factorId: string,
): Promise<FactorRow> {
  const factor = await getFactor(tx, session.user_id, factorId);
  if (factor.status === 'verified' || session.aal === 'aal2') return factor;
  const [verified] = await tx.query(
    sql`select id from auth.mfa_factors where user_id = ${session.user_id} and status = 'verified' limit 1`,
  );
  if (verified) throw newFactorNeedsAal2Error();
  return factor;
}

/** @throws AuthError 404 for an expired enrollment */
export function rejectExpiredEnrollment({ status, created_at }: FactorRow, now: Date): void {
  if (status === 'unverified' && addSeconds(created_at, unverifiedFactorTtlSeconds) <= now)
    throw factorNotFoundError();
}

/** Locks and returns a challenge of the factor, or null. */
export async function findChallenge(
  tx: Transaction,
  factorId: string,
  challengeId: string,
): Promise<ChallengeRow | null> {
  if (!isUuid(challengeId)) return null;
  const [challenge] = await tx.query<ChallengeRow>(
    sql`select * from auth.mfa_challenges where id = ${challengeId} and factor_id = ${factorId} for update`,
  );
  return challenge ?? null;
}

export const challengeNotFoundError = (): AuthError =>
  new AuthError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found');

/**
 * Locks and returns a challenge. It is not bound to an IP address, because mobile clients change it.
 *
 * @throws AuthError 422 if it is unknown, verified or expired
 */
export async function requireChallenge(
  tx: Transaction,
  factorId: string,
  challengeId: string,
  now: Date,
): Promise<ChallengeRow> {
  const challenge = await findChallenge(tx, factorId, challengeId);
  if (!challenge) throw challengeNotFoundError();
  if (challenge.verified_at) {
    throw new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.');
  }
  if (addSeconds(challenge.created_at, challengeTtlSeconds) <= now) {
    const message = `MFA challenge ${challenge.id} has expired, verify against another challenge or create a new challenge.`;
    throw new AuthError(422, 'mfa_challenge_expired', message);
  }
  return challenge;
}
