/** Redeems the one-time token of an email link or code: consumes it and applies what it confirms. */
import type { Transaction } from '@lanternrock/postgres';
import { AuthError, userBannedError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { ClientInfo } from '../client-info.ts';
import { confirmEmail } from '../users/contact-writes.ts';
import { confirmEmailChange } from './email-change.ts';
import {
  findTokenByLink,
  hashLinkToken,
  isExpiredToken,
  type OneTimeTokenRecord,
  type TokenType,
} from '../one-time-tokens/one-time-tokens.ts';
import { deleteOneTimeTokens } from '../users/revocation.ts';
import { recoveryLink } from '../sessions/sessions.ts';
import { isBanned, findUserById, type UserRecord } from '../users/user-records.ts';

/** A redeemed token, before its session is created. */
interface RedeemedToken {
  readonly user: UserRecord;
  /** Tag of the session. */
  readonly fromLink: string | null;
  readonly flowStateId: string | null;
}

/**
 * A redeemed token, the first of two confirmations of an email change, or an error. An error is a value because the
 * transaction must be committed: it counts the failed attempt, or records that the link was opened.
 */
export type RedeemResult = RedeemedToken | 'first_confirmation' | AuthError;

export type EmailLinkType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change' | 'email';

const tokenTypes: Record<EmailLinkType, readonly TokenType[]> = {
  signup: ['confirmation'],
  invite: ['invitation'],
  magiclink: ['magic_link'],
  recovery: ['recovery'],
  email_change: ['email_change_current', 'email_change_new'],
  email: ['confirmation', 'magic_link', 'recovery'],
};

export const isEmailLinkType = (type: string): type is EmailLinkType => Object.hasOwn(tokenTypes, type);
export const tokenTypesFor = (type: EmailLinkType): readonly TokenType[] => tokenTypes[type];

const invalidLinkError = (): AuthError =>
  new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');

export interface EmailLink {
  readonly type: EmailLinkType;
  readonly token: string;
  readonly client: ClientInfo;
}

/**
 * Redeems a link. Links of the types invite and recovery stay valid until a password is set, so that an email scanner
 * cannot invalidate them. All other tokens are single-use.
 */
export async function redeemLink(
  tx: Transaction,
  context: AuthContext,
  link: EmailLink,
): Promise<RedeemResult> {
  if (link.type === 'invite') {
    const invited = await redeemInvite(tx, context, link);
    if (invited) return invited;
  }
  const record = await findTokenByLink(tx, context, tokenTypes[link.type], link.token);
  return record ? redeemToken(tx, context, record, link.client) : invalidLinkError();
}

/** Returns true for a rejected link that is known and expired. Only its recipient can have it. */
export async function isExpiredEmailLink(
  tx: Transaction,
  context: AuthContext,
  { type, token }: EmailLink,
): Promise<boolean> {
  const link = { tokenHash: hashLinkToken(token), openedBy: null, now: await context.now(tx) };
  return (
    (type === 'invite' && (await context.hooks.resolveInvite(tx, link)) === 'expired') ||
    isExpiredToken(tx, context, tokenTypes[type], token)
  );
}

/** Applies a token that was found by its link or by its code. */
export async function redeemToken(
  tx: Transaction,
  context: AuthContext,
  record: OneTimeTokenRecord,
  client: ClientInfo,
): Promise<RedeemResult> {
  const user = await findUserById(tx, record.user_id);
  if (!user) return invalidLinkError();
  const now = await context.now(tx);
  if (isBanned(user, now)) return userBannedError();
  const redeemed = async (fromLink: string | null = null): Promise<RedeemedToken> => ({
    user: (await findUserById(tx, user.id)) ?? user,
    fromLink,
    flowStateId: record.flow_state_id,
  });
  switch (record.token_type) {
    case 'confirmation':
      await confirmEmail(tx, user, now, { clearPassword: false });
      await deleteOneTimeTokens(tx, user.id);
      await writeAuditEntry(tx, { action: 'user_signedup', actor: user, client });
      return redeemed();
    case 'invitation':
      await writeAuditEntry(tx, { action: 'login', actor: user, client, traits: { provider: 'invite' } });
      return redeemed();
    case 'recovery':
      await confirmEmail(tx, user, now, { clearPassword: true });
      await writeAuditEntry(tx, { action: 'login', actor: user, client, traits: { provider: 'recovery' } });
      return redeemed(recoveryLink);
    case 'magic_link':
      await confirmEmail(tx, user, now, { clearPassword: true });
      await deleteOneTimeTokens(tx, user.id);
      await writeAuditEntry(tx, { action: 'login', actor: user, client, traits: { provider: 'email' } });
      return redeemed();
    case 'email_change_current':
    case 'email_change_new':
      return (await confirmEmailChange(tx, context, user, record, client))
        ? redeemed()
        : 'first_confirmation';
    default:
      return invalidLinkError();
  }
}

/** Returns the user of a link that a hook resolves, or null. Consumes nothing. */
async function redeemInvite(
  tx: Transaction,
  context: AuthContext,
  { token, client }: EmailLink,
): Promise<RedeemedToken | AuthError | null> {
  const now = await context.now(tx);
  const link = { tokenHash: hashLinkToken(token), openedBy: client, now };
  const target = await context.hooks.resolveInvite(tx, link);
  if (target === null || target === 'expired') return null;
  const user = await findUserById(tx, target.userId);
  if (!user) return null;
  if (isBanned(user, now)) return userBannedError();
  return { user, fromLink: target.reference, flowStateId: null };
}
