/** Stores a one-time token and enqueues its email, in the transaction of the caller. */
import type { Transaction } from '@lanternrock/postgres';
import type { AuthContext } from '../auth-context.ts';
import type { OneTimeToken } from '../ports.ts';
import { createEmailFlow, type PkceChallenge } from './flow-state.ts';
import { createOneTimeToken, storeOneTimeToken, type TokenType } from './one-time-tokens.ts';
import { buildEmailLink } from './redirect-urls.ts';
import type { AuthenticationMethod } from '../sessions/sessions.ts';
import { recordSent } from '../users/user-writes.ts';

interface EmailType {
  readonly tokenType: TokenType;
  readonly emailKind: 'confirmation' | 'invitation' | 'magic_link' | 'recovery';
  /** Parameter `type` of the link. */
  readonly linkType: string;
  readonly method: AuthenticationMethod;
  readonly ttlSetting: 'OTP_TTL' | 'RECOVERY_TTL' | 'INVITATION_TTL';
  readonly setup: boolean;
}

const emailTypes = {
  signup: {
    tokenType: 'confirmation',
    emailKind: 'confirmation',
    linkType: 'signup',
    method: 'email/signup',
    ttlSetting: 'OTP_TTL',
    setup: false,
  },
  invite: {
    tokenType: 'invitation',
    emailKind: 'invitation',
    linkType: 'invite',
    method: 'invite',
    ttlSetting: 'INVITATION_TTL',
    setup: true,
  },
  magiclink: {
    tokenType: 'magic_link',
    emailKind: 'magic_link',
    linkType: 'magiclink',
    method: 'magiclink',
    ttlSetting: 'OTP_TTL',
    setup: false,
  },
  recovery: {
    tokenType: 'recovery',
    emailKind: 'recovery',
    linkType: 'recovery',
    method: 'recovery',
    ttlSetting: 'RECOVERY_TTL',
    setup: true,
  },
} as const satisfies Record<string, EmailType>;

export interface TokenEmail {
  readonly type: keyof typeof emailTypes;
  /** Null for an address that gets nothing: the same statements run, so that the timing does not reveal it. */
  readonly userId: string | null;
  readonly email: string;
  readonly redirect: URL | null;
  readonly challenge?: PkceChallenge | null;
}

/** Stores a token and records its time in the user row. Sends nothing. */
export async function storeEmailToken(
  tx: Transaction,
  context: AuthContext,
  tokenEmail: TokenEmail,
): Promise<OneTimeToken> {
  const { userId, email, challenge = null } = tokenEmail;
  const emailType: EmailType = emailTypes[tokenEmail.type];
  const now = await context.now(tx);
  const oneTimeToken = createOneTimeToken(now, context.config[emailType.ttlSetting]);
  const flowStateId = await createEmailFlow(tx, context, {
    userId,
    challenge,
    method: emailType.method,
    when: userId !== null,
  });
  const isRecovery = emailType.tokenType === 'recovery' || emailType.tokenType === 'magic_link';
  await recordSent(tx, userId, isRecovery ? 'recovery' : 'confirmation', now);
  await storeOneTimeToken(tx, context, {
    userId,
    type: emailType.tokenType,
    oneTimeToken,
    relatesTo: email,
    flowStateId,
  });
  return oneTimeToken;
}

export async function sendEmailToken(
  tx: Transaction,
  context: AuthContext,
  tokenEmail: TokenEmail,
): Promise<void> {
  const { userId, email, redirect, challenge = null } = tokenEmail;
  const emailType: EmailType = emailTypes[tokenEmail.type];
  const { token, code, expiresAt } = await storeEmailToken(tx, context, tokenEmail);
  const link = buildEmailLink(context.config, {
    token,
    type: emailType.linkType,
    redirect,
    pkce: challenge !== null,
    setup: emailType.setup,
  });
  const job = { kind: emailType.emailKind, to: email, userId, link, code, expiresAt, data: {} };
  await context.mailer.enqueue(tx, { ...job, decoy: userId === null });
}
