/** Changes of the email address, which the old and the new mailbox both have to confirm. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext, ClientInfo } from '../auth-context.ts';
import { cooldownError } from '../one-time-tokens/cooldown.ts';
import { createEmailFlow, type PkceChallenge } from '../one-time-tokens/flow-state.ts';
import { sendSecurityNotice } from '../security-notices.ts';
import {
  deleteOneTimeTokens,
  createOneTimeToken,
  storeOneTimeToken,
  type OneTimeTokenRecord,
} from '../one-time-tokens/one-time-tokens.ts';
import { buildEmailLink } from '../one-time-tokens/redirect-urls.ts';
import { changeEmail, recordEmailChangeConfirmation, storeEmailChange } from '../users/contact-changes.ts';
import type { UserRecord } from '../users/user-records.ts';

/** Only one of the two mailboxes has confirmed the change. */
export interface EmailChangeProgress {
  readonly waiting: true;
}

/** Response of Supabase Auth to the first confirmation; `code` is a string there. */
export const emailChangeProgressBody = {
  msg: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
  code: '200',
} as const;

export interface EmailChangeRequest {
  readonly user: UserRecord;
  readonly newEmail: string;
  readonly redirect: URL | null;
  readonly challenge: PkceChallenge | null;
}

/**
 * Limits the emails that one user can cause, and those that one recipient gets from any user.
 *
 * @throws AuthError 429 with Retry-After
 */
export async function requireEmailChangeCooldown(
  { limits }: Pick<AuthContext, 'limits'>,
  userId: string,
  newEmail: string,
): Promise<void> {
  const userCooldown = await limits.emailCooldownSeconds(`email change by ${userId}`);
  if (userCooldown > 0) throw cooldownError(userCooldown);
  const recipientCooldown = await limits.emailCooldownSeconds(`email change to ${newEmail}`);
  if (recipientCooldown > 0) throw cooldownError(recipientCooldown);
}

/** Stores the requested address and sends one link to it, and one to the current address if there is one. */
export async function requestEmailChange(
  tx: Transaction,
  context: AuthContext,
  { user, newEmail, redirect, challenge }: EmailChangeRequest,
): Promise<void> {
  const now = context.now();
  await storeEmailChange(tx, user.id, newEmail, now);
  await tx.query(sql`delete from auth.one_time_tokens
    where user_id = ${user.id} and token_type in ('email_change_current', 'email_change_new')`);
  const flowStateId = await createEmailFlow(tx, context, {
    userId: user.id,
    challenge,
    method: 'email_change',
  });
  const recipients = [
    { type: 'email_change_new', to: newEmail },
    ...(user.email ? [{ type: 'email_change_current', to: user.email } as const] : []),
  ] as const;
  for (const { type, to } of recipients) {
    const oneTimeToken = createOneTimeToken(context, context.config.OTP_TTL);
    await storeOneTimeToken(tx, context, { userId: user.id, type, oneTimeToken, relatesTo: to, flowStateId });
    const link = buildEmailLink(context.config, {
      token: oneTimeToken.token,
      type: 'email_change',
      redirect,
      pkce: challenge !== null,
      setup: false,
    });
    const { code, expiresAt } = oneTimeToken;
    await context.mailer.enqueue(tx, {
      kind: 'email_change',
      to,
      userId: user.id,
      link,
      code,
      expiresAt,
      data: { newEmail },
    });
  }
}

/** @returns the progress after the first confirmation, null after the address has changed */
export async function confirmEmailChange(
  tx: Transaction,
  context: AuthContext,
  user: UserRecord,
  record: OneTimeTokenRecord,
  client: ClientInfo,
): Promise<EmailChangeProgress | null> {
  const now = context.now();
  const needsBoth = user.email !== null && user.email !== '';
  if (needsBoth && user.email_change_confirm_status === 0) {
    await tx.query(sql`delete from auth.one_time_tokens where id = ${record.id}`);
    await recordEmailChangeConfirmation(tx, user.id, now);
    return { waiting: true };
  }
  const email = user.email_change;
  if (email === null) throw new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');
  await changeEmail(tx, user.id, email, now);
  await deleteOneTimeTokens(tx, user.id);
  await sendSecurityNotice(tx, context, user, 'email_changed', { newEmail: email });
  await writeAuditEntry(tx, { action: 'user_modified', actor: user, client, traits: { changed: 'email' } });
  return null;
}
