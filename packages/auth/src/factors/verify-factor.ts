/** `POST /factors/{id}/verify`: elevates the session to AAL2. */
import { timingSafeEqual } from 'node:crypto';
import { type Transaction, sql } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import { addSeconds, type AuthContext } from '../auth-context.ts';
import { endpoint, type Call, type UserWithSession } from '../http/endpoint.ts';
import { factorLabel, sendSecurityNotice } from '../security-notices.ts';
import type { RequestBody } from '../http/request-body.ts';
import { tokenResponse } from '../sessions/sessions.ts';
import { challengeTtlSeconds, hashFactorCode } from './challenge.ts';
import {
  getChallenge,
  getFactor,
  factorStatus,
  newFactorNeedsAal2Error,
  getVerifiableFactor,
  rejectExpiredEnrollment,
  type ChallengeRow,
  type FactorRow,
} from './factor-records.ts';
import { elevateSession } from '../users/session-writes.ts';
import { matchTotpStep } from './totp.ts';
import { verifyAttestation, verifyAssertion, type VerifiedCredential } from './webauthn-factor.ts';

const methods = { totp: 'totp', phone: 'mfa/phone', webauthn: 'mfa/webauthn' } as const;
const maxAttemptsPerCode = 5;

/** Returns true if the factor is unverified, so that the call adds it. */
const addsFactor = ({ c, user }: Call<'session'>): boolean =>
  factorStatus(user, c.req.param('id') ?? '') === 'unverified';

export const verifyFactor = endpoint(
  {
    guard: 'session',
    allow: ['setup', 'factor'],
    limit: 'factors',
    check: (call) =>
      addsFactor(call) && call.user.has_verified_factor && call.session.aal !== 'aal2'
        ? newFactorNeedsAal2Error()
        : null,
    fresh: addsFactor,
    body: 'required',
  },
  async (call) => {
    const { c, context, session, body } = call;
    const activeSession = await withVerifiedFactor(call, c.req.param('id') ?? '', body, (tx, factor) =>
      elevateSession(tx, context, session, methods[factor.factor_type], factor.id),
    );
    context.mailer.wake();
    return c.json(await tokenResponse(context, activeSession));
  },
);

/**
 * Verifies a factor by `challenge_id` with `code` or `webauthn` in the body. Failed attempts are counted for the
 * user's factors and for the network.
 *
 * @param onVerified runs in the same transaction after a successful verification
 * @throws AuthError 400, 404, 422 `mfa_verification_failed`, 429
 */
export async function withVerifiedFactor<Result>(
  call: Call<'session'>,
  factorId: string,
  body: RequestBody,
  onVerified: (tx: Transaction, factor: FactorRow) => Promise<Result>,
): Promise<Result> {
  const { context, user, client } = call;
  const unlockedFactor = await getFactor(context.database, user.id, factorId);
  if (unlockedFactor.factor_type !== 'webauthn' && body.getString('code') === '') {
    throw new AuthError(400, 'validation_failed', 'Code needs to be non-empty');
  }
  const challengeId = body.getString('challenge_id');
  const attempt: FactorAttempt = {
    signedIn: call,
    unlockedFactor,
    challengeId,
    code: body.getString('code'),
  };
  const outcome = await context.limits.limitAttempts(
    { account: user.email ?? user.id, ip: client.ip, owner: { kind: 'factor', id: user.id } },
    async () => {
      const challenge = await getChallenge(context.database, unlockedFactor.id, challengeId);
      const credential = await readCredential(context, unlockedFactor, challenge, body);
      return context.database.transaction(async (tx) => {
        const factor = await verifyAttempt(tx, context, attempt, credential);
        return factor instanceof AuthError ? factor : { result: await onVerified(tx, factor) };
      });
    },
    (result) => !(result instanceof AuthError),
  );
  if (outcome instanceof AuthError) throw outcome;
  return outcome.result;
}

interface FactorAttempt {
  readonly signedIn: UserWithSession;
  /** The factor before its lock. */
  readonly unlockedFactor: FactorRow;
  readonly challengeId: string;
  readonly code: string;
}

/** @returns the verified factor, or an error as a value: a wrong code must be counted */
async function verifyAttempt(
  tx: Transaction,
  context: AuthContext,
  { signedIn, unlockedFactor, challengeId, code }: FactorAttempt,
  credential: VerifiedCredential | null,
): Promise<FactorRow | AuthError> {
  const { user, session, client } = signedIn;
  const now = context.now();
  const factor = await getVerifiableFactor(tx, session, unlockedFactor.id);
  const challenge = await getChallenge(tx, factor.id, challengeId);
  const challengeError = checkChallenge(context, challenge);
  if (challengeError || !challenge) return challengeError ?? challengeNotFoundError();
  rejectExpiredEnrollment(factor, now);
  // A credential that was verified as a new key must not replace one that a concurrent call has added.
  if (factor.status !== unlockedFactor.status) return challengeNotFoundError();
  const traits = { factor_id: factor.id };
  await writeAuditEntry(tx, { action: 'verification_attempted', actor: user, client, traits });
  const responseError = await checkResponse(tx, context, factor, challenge, code, credential);
  if (responseError) return responseError;
  await tx.query(sql`update auth.mfa_challenges set verified_at = ${now} where id = ${challenge.id}`);
  await tx.query(
    sql`update auth.mfa_factors set status = 'verified', updated_at = ${now} where id = ${factor.id}`,
  );
  // Another person who had only the password can have started these.
  await tx.query(sql`delete from auth.mfa_factors where user_id = ${user.id} and status = 'unverified'`);
  if (factor.status === 'unverified')
    await sendSecurityNotice(tx, context, user, 'factor_added', { factor: factorLabel(factor) });
  return factor;
}

const challengeNotFoundError = (): AuthError =>
  new AuthError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found');

/**
 * Returns the reason why a challenge cannot be used. It is not bound to an IP address, because mobile clients change
 * it.
 */
function checkChallenge(context: AuthContext, challenge: ChallengeRow | null): AuthError | null {
  if (!challenge) return challengeNotFoundError();
  if (challenge.verified_at) {
    return new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.');
  }
  if (addSeconds(challenge.created_at, challengeTtlSeconds) <= context.now()) {
    return new AuthError(
      422,
      'mfa_challenge_expired',
      `MFA challenge ${challenge.id} has expired, verify against another challenge or create a new challenge.`,
    );
  }
  return null;
}

/** Verifies the signature before the transaction. Returns null for other factors and for an invalid response. */
async function readCredential(
  context: AuthContext,
  factor: FactorRow,
  challenge: ChallengeRow | null,
  body: RequestBody,
): Promise<VerifiedCredential | null> {
  const data = challenge?.web_authn_session_data;
  if (factor.factor_type !== 'webauthn' || !data) return null;
  const response = body.getObject('webauthn')?.['credential_response'];
  if (factor.web_authn_credential)
    return verifyAssertion(context, data.challenge, factor.web_authn_credential, response);
  return verifyAttestation(context, data.challenge, response);
}

/** Returns null for a correct response, and consumes it. */
async function checkResponse(
  tx: Transaction,
  context: AuthContext,
  factor: FactorRow,
  challenge: ChallengeRow,
  code: string,
  credential: VerifiedCredential | null,
): Promise<AuthError | null> {
  const failed = (message: string): AuthError => new AuthError(422, 'mfa_verification_failed', message);
  if (factor.factor_type === 'totp') {
    const step =
      factor.secret &&
      matchTotpStep(context.keys, { id: factor.id, secret: factor.secret }, code, context.now());
    const isNew = step !== null && (factor.last_used_step === null || step > Number(factor.last_used_step));
    if (!isNew) return failed('Invalid TOTP code entered');
    await tx.query(sql`update auth.mfa_factors set last_used_step = ${step} where id = ${factor.id}`);
    return null;
  }
  if (factor.factor_type === 'phone') {
    const matches =
      challenge.code_hash &&
      timingSafeEqual(hashFactorCode(context, challenge.id, code), challenge.code_hash);
    if (matches && challenge.tries < maxAttemptsPerCode) return null;
    await tx.query(sql`update auth.mfa_challenges set tries = tries + 1 where id = ${challenge.id}`);
    return failed('Invalid MFA Phone code entered');
  }
  if (!credential) return failed('Invalid WebAuthn credential');
  await tx.query(sql`update auth.mfa_factors set web_authn_credential = ${JSON.stringify(credential.credential)}::jsonb,
    web_authn_aaguid = coalesce(${credential.aaguid}::uuid, web_authn_aaguid) where id = ${factor.id}`);
  return null;
}
