/** Sets a password, and everything that depends on it, in one transaction. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import { removeSignInMethods, type SignInMethodRow } from '../users/sign-in-methods.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { SignedInUser } from '../endpoint/require-user.ts';
import { confirmEmail } from '../users/contact-writes.ts';
import { formatMethodLabel, sendSecurityNotice } from '../security-notices.ts';
import { deleteOneTimeTokens, revokeUserSessions } from '../users/revocation.ts';
import { isLinkSession, findInviteReference, type AuthenticationMethod } from '../sessions/sessions.ts';
import { clearSessionLink } from '../sessions/session-writes.ts';
import { needsSetup, type UserRecord } from '../users/user-records.ts';
import { storePassword } from '../users/user-writes.ts';

/**
 * Hashes a password for `setPassword`.
 *
 * @throws AuthError 422 `same_password`
 */
export async function hashNewPassword(
  { hasher }: AuthContext,
  { id, encrypted_password: old }: UserRecord,
  password: string,
): Promise<string> {
  if (old !== null && (await hasher.verify(password, old, id)).ok) throw samePasswordError();
  return hasher.hash(password, id);
}

interface NewPassword {
  readonly hash: string;
  /** IDs of sign-in methods to keep; only for a session from an invite or recovery link. */
  readonly keep: readonly string[];
}

/**
 * Sets the password. After an invite or recovery link it removes the sign-in methods that the user does not choose to
 * keep, because another person can have added them.
 * Call it in the transaction of a signed-in call, which has locked the user and checked the session.
 *
 * @throws AuthError 422 `same_password` if a concurrent request has set a password
 * @throws AuthError of `AuthHooks.passwordSet`, for a link that is no longer valid
 * @throws AuthError 403 `no_authorization` for a first password in a session that does not prove control of the
 *   mailbox
 * @throws AuthError 400 `validation_failed` for an unknown sign-in method
 */
export async function setPassword(
  tx: Transaction,
  context: AuthContext,
  signedInUser: SignedInUser,
  { hash, keep }: NewPassword,
): Promise<void> {
  const { user, session, client } = signedInUser;
  const now = await context.now(tx);
  // Concurrent calls wait for each other; only the first finds the password that its guard read.
  const [stored] = await tx.query<Pick<UserRecord, 'encrypted_password'>>(
    sql`select encrypted_password from auth.users where id = ${user.id}`,
  );
  if (stored?.encrypted_password !== user.encrypted_password) throw samePasswordError();

  if (needsSetup(user) && !(await hasProvenMailbox(tx, signedInUser))) {
    throw new AuthError(
      403,
      'no_authorization',
      'Open the link in your invitation email to set your password',
    );
  }
  const removed = isLinkSession(signedInUser) ? await removeMethodsExcept(tx, user.id, now, keep) : [];
  const completesSetup = needsSetup(user) || findInviteReference(session) !== null;
  await storePassword(tx, user.id, hash, now);
  if (completesSetup) await completeSetup(tx, context, signedInUser);
  await revokeUserSessions(tx, user.id, session?.id);
  if (session) await clearSessionLink(tx, session.id, now);
  await deleteOneTimeTokens(tx, user.id);
  await writeAuditEntry(tx, { action: 'user_updated_password', actor: user, client });
  await sendSecurityNotice(tx, context, user, {
    kind: 'password_changed',
    client,
    data: {
      ...(user.encrypted_password === null ? { firstPassword: 'yes' } : {}),
      ...(removed.length > 0 ? { removed: removed.map(formatMethodLabel).join(', ') } : {}),
    },
  });
}

/**
 * Removes all sign-in methods except those to keep.
 *
 * @returns the removed methods
 * @throws AuthError 400 `validation_failed` for an ID that is not a method of the user
 */
async function removeMethodsExcept(
  tx: Transaction,
  userId: string,
  now: Date,
  keep: readonly string[],
): Promise<readonly SignInMethodRow[]> {
  const keepIds = new Set(keep);
  const { kept, removed } = await removeSignInMethods(tx, userId, now, {
    keep: ({ id }) => keepIds.has(id),
    factors: 'unverified',
  });
  if (kept.length < keepIds.size) {
    throw new AuthError(400, 'validation_failed', 'keep_sign_in_methods names an unknown sign-in method');
  }
  return removed;
}

const emailMethods: readonly AuthenticationMethod[] = [
  'invite',
  'recovery',
  'magiclink',
  'email/signup',
  'email_change',
];

/**
 * Returns true if the session was created by an email to the user. A password, a passkey or a provider identifies the
 * person who used the account before; the invited role belongs to the owner of the mailbox.
 */
async function hasProvenMailbox(tx: Transaction, { user, session }: SignedInUser): Promise<boolean> {
  if (!session || findInviteReference(session) !== null) return session !== null;
  // Codes sent to a phone have the same method name as emailed ones.
  const methods = user.phone_confirmed_at ? emailMethods : [...emailMethods, 'otp'];
  const [row] = await tx.query(sql`select session_id from auth.mfa_amr_claims
    where session_id = ${session.id} and authentication_method = any(${methods}::text[]) limit 1`);
  return row !== undefined;
}

async function completeSetup(
  tx: Transaction,
  context: AuthContext,
  { user, session, client }: SignedInUser,
): Promise<void> {
  const accepted = await context.hooks.passwordSet(tx, {
    userId: user.id,
    inviteReference: findInviteReference(session),
    now: await context.now(tx),
  });
  await confirmEmail(tx, user, await context.now(tx), { clearPassword: false, keepSession: session?.id });
  if (accepted) await writeAuditEntry(tx, { action: 'invite_accepted', actor: user, client });
}

const samePasswordError = (): AuthError =>
  new AuthError(422, 'same_password', 'New password should be different from the old password.');
