/**
 * Using the secret of a mail. Checking a link of an invitation or a recovery uses nothing up: both
 * stay good until a password is set (or a newer recovery mail is sent), so that a mail scanner cannot
 * spoil them. Every other secret works exactly once.
 */
import type { Transaction } from '../../database/database.ts';
import { Refusal } from '../../errors.ts';
import { noteOpening } from '../../invitations/invitation-openings.ts';
import { findInvitationByToken, isExpiredInvitation } from '../../invitations/invitation-tokens.ts';
import { writeAudit } from '../audit.ts';
import type { AuthContext, Caller } from '../auth-context.ts';
import { confirmEmail } from '../one-time/confirm-email.ts';
import { confirmEmailChange, type ChangeProgress } from './email-change.ts';
import {
  eraseSecrets,
  findByLink,
  isExpiredLink,
  type TokenRecord,
  type TokenType,
} from '../one-time/one-time-tokens.ts';
import { invitationTag, recoveryTag } from '../sessions/sessions.ts';
import { isBanned, userById, type UserRecord } from '../users/user-records.ts';

/** What a secret proved, before a session is opened for it. */
export interface Redeemed {
  readonly user: UserRecord;
  /** Tag of the session. */
  readonly tag: string | null;
  readonly flowStateId: string | null;
}

export type MailType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change' | 'email';

const tokenTypes: Record<MailType, readonly TokenType[]> = {
  signup: ['confirmation'],
  invite: ['invitation'],
  magiclink: ['magic_link'],
  recovery: ['recovery'],
  email_change: ['email_change_current', 'email_change_new'],
  email: ['confirmation', 'magic_link', 'recovery'],
};

export const isMailType = (type: string): type is MailType => Object.hasOwn(tokenTypes, type);
export const tokenTypesOf = (type: MailType): readonly TokenType[] => tokenTypes[type];

const linkRefusal = (): Refusal => new Refusal(403, 'otp_expired', 'Email link is invalid or has expired');

export interface Link {
  readonly type: MailType;
  readonly token: string;
  readonly caller: Caller;
}

/** @returns a refusal, or the first half of an address change, instead of throwing: both are kept. */
export async function redeemLink(
  tx: Transaction,
  context: AuthContext,
  link: Link,
): Promise<Redeemed | ChangeProgress | Refusal> {
  if (link.type === 'invite') {
    const invited = await invitationOf(tx, context, link.token, link.caller);
    if (invited) return invited;
  }
  const record = await findByLink(tx, context, tokenTypes[link.type], link.token);
  return record ? redeem(tx, context, record, link.caller) : linkRefusal();
}

/** Whether a link that was refused is a known one that came too late, which only its holder can learn. */
export async function isPastItsTime(
  tx: Transaction,
  context: AuthContext,
  { type, token }: Link,
): Promise<boolean> {
  return (
    (type === 'invite' && (await isExpiredInvitation(tx, token, context.now()))) ||
    isExpiredLink(tx, context, tokenTypes[type], token)
  );
}

/** The effect of a token that was found, by its link or by its code. */
export async function redeem(
  tx: Transaction,
  context: AuthContext,
  record: TokenRecord,
  caller: Caller,
): Promise<Redeemed | ChangeProgress | Refusal> {
  const user = await userById(tx, record.user_id);
  if (!user) return linkRefusal();
  const now = context.now();
  if (isBanned(user, now)) return new Refusal(403, 'user_banned', 'User is banned');
  const redeemed = async (tag: string | null = null): Promise<Redeemed> => ({
    user: (await userById(tx, user.id)) ?? user,
    tag,
    flowStateId: record.flow_state_id,
  });
  switch (record.token_type) {
    case 'confirmation':
      await confirmEmail(tx, user, now, { dropPassword: false });
      await eraseSecrets(tx, user.id);
      await writeAudit(tx, { action: 'user_signedup', actor: user, caller });
      return redeemed();
    case 'invitation':
      await writeAudit(tx, { action: 'login', actor: user, caller, traits: { provider: 'invite' } });
      return redeemed();
    case 'recovery':
      await confirmEmail(tx, user, now, { dropPassword: true });
      await writeAudit(tx, { action: 'login', actor: user, caller, traits: { provider: 'recovery' } });
      return redeemed(recoveryTag);
    case 'magic_link':
      await confirmEmail(tx, user, now, { dropPassword: true });
      await eraseSecrets(tx, user.id);
      await writeAudit(tx, { action: 'login', actor: user, caller, traits: { provider: 'email' } });
      return redeemed();
    case 'email_change_current':
    case 'email_change_new': {
      const progress = await confirmEmailChange(tx, context, user, record, caller);
      return progress ?? redeemed();
    }
    default:
      return linkRefusal();
  }
}

/** A live link of an administrator's invitation; it consumes and confirms nothing, and is remembered. */
async function invitationOf(
  tx: Transaction,
  context: AuthContext,
  token: string,
  { userAgent }: Caller,
): Promise<Redeemed | Refusal | null> {
  const now = context.now();
  const invitation = await findInvitationByToken(tx, token, now);
  const user = invitation ? await userById(tx, invitation.userId) : null;
  if (!invitation || !user) return null;
  if (isBanned(user, now)) return new Refusal(403, 'user_banned', 'User is banned');
  const { invitationId } = invitation;
  await noteOpening(tx, { invitationId, userAgent: userAgent ?? '', now });
  return { user, tag: invitationTag(invitationId), flowStateId: null };
}
