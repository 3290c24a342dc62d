/** Stores a one-time token and enqueues its email, in the transaction of the caller. */
import type { Transaction } from '@lanternrock/postgres';
import type { AuthContext } from '../auth-context.ts';
import type { OneTimeToken } from '../ports.ts';
import { createEmailFlow, type PkceChallenge } from './flow-state.ts';
import { createOneTimeToken, storeOneTimeToken } from './one-time-tokens.ts';
import { buildEmailLink } from './redirect-urls.ts';
import type { AuthenticationMethod } from '../sessions/sessions.ts';
import { recordSent } from '../users/user-writes.ts';

interface EmailTokenType {
  /** The kind of the stored token and of its email. */
  readonly kind: 'confirmation' | 'invitation' | 'magic_link' | 'recovery';
  readonly method: AuthenticationMethod;
  readonly ttlSetting: 'OTP_TTL' | 'RECOVERY_TTL' | 'INVITATION_TTL';
  /** The time of the user row that the email updates. */
  readonly sentAs: 'confirmation' | 'recovery';
}

/** By the parameter `type` of the link. */
const emailTokenTypes = {
  signup: {
    kind: 'confirmation',
    method: 'email/signup',
    ttlSetting: 'OTP_TTL',
    sentAs: 'confirmation',
  },
  invite: {
    kind: 'invitation',
    method: 'invite',
    ttlSetting: 'INVITATION_TTL',
    sentAs: 'confirmation',
  },
  magiclink: {
    kind: 'magic_link',
    method: 'magiclink',
    ttlSetting: 'OTP_TTL',
    // As in Supabase Auth, a magic link counts as recovery.
    sentAs: 'recovery',
  },
  recovery: {
    kind: 'recovery',
    method: 'recovery',
    ttlSetting: 'RECOVERY_TTL',
    sentAs: 'recovery',
  },
} as const satisfies Record<string, EmailTokenType>;

interface NewEmailToken {
  readonly type: keyof typeof emailTokenTypes;
  /**
   * Null for an email address that gets no email. The same statements run, so that the response time does not reveal
   * it.
   */
  readonly userId: string | null;
  readonly email: string;
  readonly challenge?: PkceChallenge | null;
}

/** Stores a token and records its time in the user row. Sends nothing. */
export async function storeEmailToken(
  tx: Transaction,
  context: AuthContext,
  { type, userId, email, challenge = null }: NewEmailToken,
): Promise<OneTimeToken> {
  const { kind, method, ttlSetting, sentAs }: EmailTokenType = emailTokenTypes[type];
  const now = await context.now(tx);
  const oneTimeToken = createOneTimeToken(now, context.config[ttlSetting]);
  const flowStateId = await createEmailFlow(tx, context, {
    userId,
    challenge,
    method,
    when: userId !== null,
  });
  await recordSent(tx, userId, sentAs, now);
  await storeOneTimeToken(tx, context, { userId, type: kind, oneTimeToken, relatesTo: email, flowStateId });
  return oneTimeToken;
}

interface TokenEmail extends NewEmailToken {
  /** The email of a recovery is part of `recovery.ts`. */
  readonly type: Exclude<NewEmailToken['type'], 'recovery'>;
  readonly redirect: URL | null;
}

/** Stores a token and enqueues its email. The caller wakes the mailer after the commit. */
export async function enqueueTokenEmail(
  tx: Transaction,
  context: AuthContext,
  tokenEmail: TokenEmail,
): Promise<void> {
  const { type, userId, email, redirect, challenge = null } = tokenEmail;
  const { token, code, expiresAt } = await storeEmailToken(tx, context, tokenEmail);
  const setup = type === 'invite';
  const link = buildEmailLink(context.config, { token, type, redirect, pkce: challenge !== null, setup });
  const job = { kind: emailTokenTypes[type].kind, to: email, userId, link, code, expiresAt, data: {} };
  await context.mailer.enqueue(tx, { ...job, decoy: userId === null });
}
