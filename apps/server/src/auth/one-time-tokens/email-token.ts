/** Stores a one-time token and enqueues its email, in the transaction of the caller. */
import { type Transaction, sql } from '@lanternrock/postgres';
import type { EmailKind } from '../../mail/email-job.ts';
import type { AuthContext } from '../auth-context.ts';
import { createEmailFlow, type PkceChallenge } from './flow-state.ts';
import {
  createOneTimeToken,
  storeOneTimeToken,
  type OneTimeToken,
  type TokenType,
} from './one-time-tokens.ts';
import { buildEmailLink } from './redirect-urls.ts';
import type { AuthenticationMethod } from '../sessions/sessions.ts';

interface MailShape {
  readonly tokenType: TokenType;
  readonly mailKind: EmailKind;
  /** Parameter `type` of the link. */
  readonly linkType: string;
  readonly method: AuthenticationMethod;
  readonly lifetime: 'OTP_TTL' | 'RECOVERY_TTL' | 'INVITATION_TTL';
  readonly setup: boolean;
}

const mailShapes = {
  signup: {
    tokenType: 'confirmation',
    mailKind: 'confirmation',
    linkType: 'signup',
    method: 'email/signup',
    lifetime: 'OTP_TTL',
    setup: false,
  },
  invite: {
    tokenType: 'invitation',
    mailKind: 'invitation',
    linkType: 'invite',
    method: 'invite',
    lifetime: 'INVITATION_TTL',
    setup: true,
  },
  magiclink: {
    tokenType: 'magic_link',
    mailKind: 'magic_link',
    linkType: 'magiclink',
    method: 'magiclink',
    lifetime: 'OTP_TTL',
    setup: false,
  },
  recovery: {
    tokenType: 'recovery',
    mailKind: 'recovery',
    linkType: 'recovery',
    method: 'recovery',
    lifetime: 'RECOVERY_TTL',
    setup: true,
  },
} as const satisfies Record<string, MailShape>;

export interface TokenEmail {
  readonly type: keyof typeof mailShapes;
  /** Null for an address that gets nothing: the same statements run, so that the timing does not reveal it. */
  readonly userId: string | null;
  readonly email: string;
  readonly redirect: URL | null;
  readonly challenge?: PkceChallenge | null;
  readonly data?: Record<string, string>;
}

/** Stores a token, in place of an earlier one of its type, and the time in the user. Sends nothing. */
export async function storeEmailToken(
  tx: Transaction,
  context: AuthContext,
  mail: TokenEmail,
): Promise<OneTimeToken> {
  const { userId, email, challenge = null } = mail;
  const shape: MailShape = mailShapes[mail.type];
  const now = context.now();
  const secret = createOneTimeToken(context, context.config[shape.lifetime]);
  const flowStateId = await createEmailFlow(tx, context, {
    userId,
    challenge,
    method: shape.method,
    when: userId !== null,
  });
  if (shape.tokenType === 'recovery' || shape.tokenType === 'magic_link') {
    await tx.query(sql`update auth.users set recovery_sent_at = ${now} where id = ${userId}::uuid`);
  } else {
    await tx.query(sql`update auth.users set confirmation_sent_at = ${now} where id = ${userId}::uuid`);
  }
  await storeOneTimeToken(tx, context, {
    userId,
    type: shape.tokenType,
    secret,
    relatesTo: email,
    flowStateId,
  });
  return secret;
}

export async function sendEmailToken(tx: Transaction, context: AuthContext, mail: TokenEmail): Promise<void> {
  const { userId, email, redirect, challenge = null, data = {} } = mail;
  const shape: MailShape = mailShapes[mail.type];
  const { token, code, expiresAt } = await storeEmailToken(tx, context, mail);
  const link = buildEmailLink(context.config, {
    token,
    type: shape.linkType,
    redirect,
    pkce: challenge !== null,
    setup: shape.setup,
  });
  const job = { kind: shape.mailKind, to: email, userId, link, code, expiresAt, data };
  await context.outbox.enqueue(tx, { ...job, decoy: userId === null });
}
