/** `POST /factors/{id}/challenge`: creates a challenge, and sends the code of a phone factor. */
import { randomInt, randomUUID } from 'node:crypto';
import { type Transaction, sql } from '@lanternrock/postgres';
import { addSeconds } from '@lanternrock/postgres/clock';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { requireCooldownElapsed } from '../one-time-tokens/cooldown.ts';
import { sendSmsCode } from '../one-time-tokens/send-sms-code.ts';
import {
  challengeTtlSeconds,
  getVerifiableFactor,
  rejectExpiredEnrollment,
  type FactorRow,
} from '../factors/factor-records.ts';
import { buildCredentialCreationOptions, buildCredentialRequestOptions } from './webauthn-factor.ts';

export const hashFactorCode = (context: AuthContext, challengeId: string, code: string): Buffer =>
  context.keys.hmac(`${challengeId}:${code}`, 'factor code');

interface PreparedChallenge {
  readonly codeHash: Buffer | null;
  readonly webauthn: {
    readonly type: 'create' | 'request';
    readonly challenge: string;
    readonly options: unknown;
  } | null;
}

export const challengeFactor = endpoint(
  { guard: 'session', allow: ['setup', 'factor'], limit: 'factors', body: 'optional' },
  async ({ c, context, user, session, client, body }) => {
    const id = randomUUID();
    const now = await context.now(context.database);
    const lockFactor = async (tx: Transaction): Promise<FactorRow> => {
      const factor = await getVerifiableFactor(tx, session, c.req.param('id') ?? '');
      rejectExpiredEnrollment(factor, now);
      return factor;
    };
    // A code is sent only for a factor that the session can verify. No lock is held while it is sent.
    const factor = await context.database.transaction(lockFactor);
    const prepared = await prepareChallenge(context, factor, {
      id,
      userName: user.email ?? user.id,
      channel: body.getString('channel'),
      now,
    });
    const sessionData = prepared.webauthn && {
      type: prepared.webauthn.type,
      challenge: prepared.webauthn.challenge,
    };
    await context.database.transaction(async (tx) => {
      await lockFactor(tx);
      await tx.query(sql`delete from auth.mfa_challenges where factor_id = ${factor.id}
      and created_at < ${addSeconds(now, -challengeTtlSeconds)}`);
      await tx.query(sql`insert into auth.mfa_challenges (id, factor_id, ip_address, code_hash, web_authn_session_data, created_at)
      values (${id}, ${factor.id}, ${client.ip}, ${prepared.codeHash},
        ${sessionData === null ? null : JSON.stringify(sessionData)}::jsonb, ${now})`);
      await tx.query(sql`update auth.mfa_factors set last_challenged_at = ${now} where id = ${factor.id}`);
      await writeAuditEntry(tx, {
        action: 'challenge_created',
        actor: user,
        client,
        traits: { factor_id: factor.id },
      });
    });
    const { webauthn } = prepared;
    return c.json({
      id,
      type: factor.factor_type,
      expires_at: Math.floor(addSeconds(now, challengeTtlSeconds).getTime() / 1000),
      ...(webauthn
        ? { webauthn: { type: webauthn.type, credential_options: { publicKey: webauthn.options } } }
        : {}),
    });
  },
);

interface ChallengeRequest {
  readonly id: string;
  /** Shown by the browser or the device that stores a new key. */
  readonly userName: string;
  /** Channel of a text message. */
  readonly channel: string;
  readonly now: Date;
}

async function prepareChallenge(
  context: AuthContext,
  factor: FactorRow,
  { id, userName, channel, now }: ChallengeRequest,
): Promise<PreparedChallenge> {
  if (factor.factor_type === 'totp') return { codeHash: null, webauthn: null };
  if (factor.factor_type === 'phone') {
    if (!context.config.PHONE)
      throw new AuthError(422, 'mfa_phone_verify_not_enabled', 'MFA verification is disabled for Phone');
    requireCooldownElapsed(context.config, factor.last_challenged_at, now, 'over_sms_send_rate_limit');
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    await sendSmsCode(context, {
      owner: factor.id,
      phone: factor.phone ?? '',
      code,
      channel,
      lastSentAt: null,
      chosenNumberKey: factor.status === 'verified' ? null : factor.user_id,
    });
    return { codeHash: hashFactorCode(context, id, code), webauthn: null };
  }
  if (!context.config.PASSKEYS)
    throw new AuthError(422, 'mfa_webauthn_verify_not_enabled', 'MFA verification is disabled for WebAuthn');
  const options = factor.web_authn_credential
    ? await buildCredentialRequestOptions(context, factor.web_authn_credential)
    : await buildCredentialCreationOptions(context, factor, userName);
  const type = factor.web_authn_credential ? 'request' : 'create';
  return { codeHash: null, webauthn: { type, challenge: options.challenge, options } };
}
