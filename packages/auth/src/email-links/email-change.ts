/** Changes of the email address, which the old and the new mailbox both have to confirm. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { ClientInfo } from '../client-info.ts';
import { cooldownError } from '../one-time-tokens/cooldown.ts';
import { createEmailFlow, type PkceChallenge } from '../one-time-tokens/flow-state.ts';
import { sendSecurityNotice } from '../security-notices.ts';
import {
  createOneTimeToken,
  storeOneTimeToken,
  type OneTimeTokenRecord,
  type TokenType,
} from '../one-time-tokens/one-time-tokens.ts';
import { deleteOneTimeTokens } from '../users/revocation.ts';
import { buildEmailLink } from '../one-time-tokens/redirect-urls.ts';
import { changeEmail, recordEmailChangeConfirmation, storeEmailChange } from '../users/contact-writes.ts';
import type { UserRecord } from '../users/user-records.ts';

/** Message of Supabase Auth after the first of two confirmations. */
export const firstConfirmationMessage =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email';

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
  for (const key of [`email change by ${userId}`, `email change to ${newEmail}`]) {
    const waitSeconds = await limits.emailCooldownSeconds(key);
    if (waitSeconds > 0) throw cooldownError(waitSeconds);
  }
}

/**
 * Stores the requested address and sends one link to it, and one to the current address if there is one.
 *
 * @param isRepeated true for further links of the pending change: a mailbox that has confirmed it gets none
 */
export async function requestEmailChange(
  tx: Transaction,
  context: AuthContext,
  request: EmailChangeRequest,
  { isRepeated = false } = {},
): Promise<void> {
  const { user, newEmail, challenge } = request;
  const open = await tx.query<{ type: TokenType }>(sql`delete from auth.one_time_tokens
    where user_id = ${user.id} and token_type in ('email_change_current', 'email_change_new')
    returning token_type as type`);
  // The first confirmation has deleted its token, so that only that of the other mailbox was left.
  const only = isRepeated && user.email_change_confirm_status === 1 && open.length === 1 ? open[0] : null;
  await storeEmailChange(tx, {
    userId: user.id,
    email: newEmail,
    now: await context.now(tx),
    keepConfirmation: Boolean(only),
  });
  const flowStateId = await createEmailFlow(tx, context, {
    userId: user.id,
    challenge,
    method: 'email_change',
  });
  if (only?.type !== 'email_change_current') {
    await sendLink(tx, context, request, { type: 'email_change_new', to: newEmail, flowStateId });
  }
  if (user.email && only?.type !== 'email_change_new') {
    await sendLink(tx, context, request, { type: 'email_change_current', to: user.email, flowStateId });
  }
}

/** Stores the token of one mailbox and enqueues its email. */
async function sendLink(
  tx: Transaction,
  context: AuthContext,
  { user, newEmail, redirect, challenge }: EmailChangeRequest,
  { type, to, flowStateId }: { type: TokenType; to: string; flowStateId: string | null },
): Promise<void> {
  const oneTimeToken = createOneTimeToken(await context.now(tx), context.config.OTP_TTL);
  await storeOneTimeToken(tx, context, { userId: user.id, type, oneTimeToken, relatesTo: to, flowStateId });
  const { token, code, expiresAt } = oneTimeToken;
  const link = buildEmailLink(context.config, {
    token,
    type: 'email_change',
    redirect,
    pkce: challenge !== null,
    setup: false,
  });
  const data = { newEmail, ...(user.email ? { needsBoth: 'yes' as const } : {}) };
  await context.mailer.enqueue(tx, {
    kind: 'email_change',
    to,
    userId: user.id,
    link,
    code,
    expiresAt,
    data,
  });
}

/**
 * Records the confirmation by one mailbox. The change needs both, or one if the user had no address before.
 *
 * @returns true if the address has changed, false after the first of two confirmations
 * @throws AuthError 403 if no change is requested, 422 `email_exists`
 */
export async function confirmEmailChange(
  tx: Transaction,
  context: AuthContext,
  user: UserRecord,
  record: OneTimeTokenRecord,
  client: ClientInfo,
): Promise<boolean> {
  const now = await context.now(tx);
  if (user.email && user.email_change_confirm_status === 0) {
    await tx.query(sql`delete from auth.one_time_tokens where id = ${record.id}`);
    await recordEmailChangeConfirmation(tx, user.id, now);
    return false;
  }
  const email = user.email_change;
  if (email === null) throw new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');
  await changeEmail(tx, user.id, email, now);
  await deleteOneTimeTokens(tx, user.id);
  await sendSecurityNotice(tx, context, user, { kind: 'email_changed', client, data: { newEmail: email } });
  await writeAuditEntry(tx, { action: 'user_modified', actor: user, client, traits: { changed: 'email' } });
  return true;
}
