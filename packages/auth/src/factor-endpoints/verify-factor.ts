/** `POST /factors/{id}/verify`: elevates the session to AAL2. */
import { normalizeCode } from '@lanternrock/contract/typed-code';
import { timingSafeEqual } from 'node:crypto';
import { type Transaction, sql } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import { endpoint, type Call } from '../endpoint/endpoint.ts';
import { findPasskeyError, requirePasskey } from '../endpoint/require-passkey.ts';
import { formatFactorLabel, sendSecurityNotice } from '../security-notices.ts';
import type { RequestBody } from '../http/request-body.ts';
import type { OwnerBucket } from '../http/attempt-limits.ts';
import { readFactorDevice, setFactorDevice } from '../sessions/device-token.ts';
import { buildTokenResponse } from '../sessions/sessions.ts';
import { hashFactorCode } from './challenge.ts';
import {
  challengeNotFoundError,
  findChallenge,
  getFactor,
  findFactorStatus,
  newFactorNeedsAal2Error,
  getVerifiableFactor,
  rejectExpiredEnrollment,
  requireChallenge,
  type ChallengeRow,
  type FactorRow,
} from '../factors/factor-records.ts';
import { elevateSession } from '../sessions/session-writes.ts';
import { consumeTotpCode } from '../factors/totp.ts';
import { verifyAssertion, verifyAttestation, type VerifiedCredential } from './webauthn-factor.ts';

const methods = { totp: 'totp', phone: 'mfa/phone', webauthn: 'mfa/webauthn' } as const;
const maxAttemptsPerCode = 5;

/** Returns true if the factor is unverified, so that the call adds it. */
const addsFactor = ({ c, user }: Call<'session'>): boolean =>
  findFactorStatus(user, c.req.param('id') ?? '') === 'unverified';

export const verifyFactor = endpoint(
  {
    guard: 'session',
    allow: ['setup', 'factor'],
    limit: 'factors',
    check: (call) => {
      if (!addsFactor(call)) return null;
      if (call.user.has_verified_factor && call.session.aal !== 'aal2') return newFactorNeedsAal2Error();
      return findPasskeyError(call.context.database, call.context, call);
    },
    fresh: addsFactor,
    body: 'required',
  },
  async (call) => {
    const { c, context, session, body } = call;
    const activeSession = await withVerifiedFactor(call, c.req.param('id') ?? '', body, (tx, factor) =>
      elevateSession(tx, context, { session, method: methods[factor.factor_type], factorId: factor.id }),
    );
    context.mailer.wake();
    return c.json(await buildTokenResponse(context, activeSession));
  },
);

/** What the client sends for a challenge. */
interface ChallengeResponse {
  readonly challengeId: string;
  /** Code of an authenticator app or of a text message. */
  readonly code: string;
  /** Null for other factors and for an invalid WebAuthn response. */
  readonly credential: VerifiedCredential | null;
}

const rejectedMessages = {
  totp: 'Invalid TOTP code entered',
  phone: 'Invalid MFA Phone code entered',
  webauthn: 'Invalid WebAuthn credential',
} as const;

/**
 * Verifies a factor by `challenge_id` with `code` or `webauthn` in the body. Failed attempts are counted for the
 * user's factors, or for a device that verified this factor before, and for the network.
 *
 * @param onVerified runs in the same transaction after a successful verification
 * @throws AuthError 400, 403, 404, 422 `mfa_verification_failed`, 429
 */
export async function withVerifiedFactor<Result>(
  call: Call<'session'>,
  factorId: string,
  body: RequestBody,
  onVerified: (tx: Transaction, factor: FactorRow) => Promise<Result>,
): Promise<Result> {
  const { c, context, user, session, client } = call;
  const factor = await getFactor(context.database, user.id, factorId);
  const challengeId = body.getString('challenge_id');
  const code = normalizeCode(body.getString('code'));
  if (factor.factor_type !== 'webauthn' && code === '') {
    throw new AuthError(400, 'validation_failed', 'Code needs to be non-empty');
  }
  const known = { userId: user.id, factorId: factor.id };
  const device = await readFactorDevice(c, context, known);
  const owner: OwnerBucket =
    device === null ? { kind: 'factor', id: user.id } : { kind: 'factor-device', id: device };
  const purpose = session.aal === 'aal1' && factor.status === 'verified' ? 'second_factor' : 'step_up';
  const verified = await context.limits.limitAttempts(
    { identifier: user.email ?? user.id, client, owner, purpose },
    async () => {
      const credential = await readCredential(context, factor, challengeId, body);
      return context.database.transaction(async (tx) => {
        const isCorrect = await verifyResponse(tx, call, factor, { challengeId, code, credential });
        // No error yet: the transaction has counted the attempt and must be committed.
        return isCorrect ? { result: await onVerified(tx, factor) } : null;
      });
    },
    (outcome) => outcome !== null,
  );
  if (!verified) throw new AuthError(422, 'mfa_verification_failed', rejectedMessages[factor.factor_type]);
  await setFactorDevice(c, context, { ...known, device });
  return verified.result;
}

/**
 * Locks the factor and its challenge, and verifies the response. A correct response verifies the factor.
 *
 * @param unlockedFactor the factor before its lock
 * @returns false for a wrong response, which is counted
 * @throws AuthError 403 `insufficient_aal`, 404, 422 for a challenge that cannot be used
 */
async function verifyResponse(
  tx: Transaction,
  call: Call<'session'>,
  unlockedFactor: FactorRow,
  response: ChallengeResponse,
): Promise<boolean> {
  const { context, user, session, client } = call;
  const now = await context.now(tx);
  const factor = await getVerifiableFactor(tx, session, unlockedFactor.id);
  const challenge = await requireChallenge(tx, factor.id, response.challengeId, now);
  rejectExpiredEnrollment(factor, now);
  // A credential that was verified as a new key must not replace one that a concurrent call has added.
  if (factor.status !== unlockedFactor.status) throw challengeNotFoundError();
  if (factor.status === 'unverified') await requirePasskey(tx, context, call);
  const traits = { factor_id: factor.id };
  await writeAuditEntry(tx, { action: 'verification_attempted', actor: user, client, traits });
  if (!(await consumeResponse(tx, context, factor, challenge, response))) return false;
  await tx.query(sql`update auth.mfa_challenges set verified_at = ${now} where id = ${challenge.id}`);
  await tx.query(
    sql`update auth.mfa_factors set status = 'verified', updated_at = ${now} where id = ${factor.id}`,
  );
  // Another person who had only the password can have started these.
  await tx.query(sql`delete from auth.mfa_factors where user_id = ${user.id} and status = 'unverified'`);
  if (factor.status === 'unverified') {
    await writeAuditEntry(tx, { action: 'factor_added', actor: user, client, traits });
    await sendSecurityNotice(tx, context, user, {
      kind: 'factor_added',
      client,
      data: { factor: formatFactorLabel(factor) },
    });
  }
  return true;
}

/** Verifies a WebAuthn response before the transaction, because that takes time. Returns null if it is invalid. */
async function readCredential(
  context: AuthContext,
  factor: FactorRow,
  challengeId: string,
  body: RequestBody,
): Promise<VerifiedCredential | null> {
  if (factor.factor_type !== 'webauthn') return null;
  const challenge = await findChallenge(context.database, factor.id, challengeId);
  const data = challenge?.web_authn_session_data;
  if (!data) return null;
  const response = body.getObject('webauthn')?.['credential_response'];
  return factor.web_authn_credential
    ? verifyAssertion(context, data.challenge, factor.web_authn_credential, response)
    : verifyAttestation(context, data.challenge, response);
}

/** Returns true for a correct response, which works once. Counts a wrong code of a text message. */
async function consumeResponse(
  tx: Transaction,
  context: AuthContext,
  factor: FactorRow,
  challenge: ChallengeRow,
  { code, credential }: ChallengeResponse,
): Promise<boolean> {
  if (factor.factor_type === 'totp') return consumeTotpCode(tx, context, factor, code);
  if (factor.factor_type === 'phone') {
    const isMatch =
      challenge.code_hash !== null &&
      timingSafeEqual(hashFactorCode(context, challenge.id, code), challenge.code_hash);
    if (isMatch && challenge.tries < maxAttemptsPerCode) return true;
    await tx.query(sql`update auth.mfa_challenges set tries = tries + 1 where id = ${challenge.id}`);
    return false;
  }
  if (!credential) return false;
  await tx.query(sql`update auth.mfa_factors set web_authn_credential = ${JSON.stringify(credential.credential)}::jsonb,
    web_authn_aaguid = coalesce(${credential.aaguid}::uuid, web_authn_aaguid) where id = ${factor.id}`);
  return true;
}
