/** Step-up authentication: sensitive changes require a session with a recent sign-in or reauthentication. */
import { normalizeCode } from '@lanternrock/contract/typed-code';
import { type Transaction, sql } from '@lanternrock/postgres';
import { addSeconds } from '@lanternrock/postgres/clock';
import { AuthError, passwordNotSetError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import { findTokenByCode, clearCode } from '../one-time-tokens/one-time-tokens.ts';
import type { RequestBody } from '../http/request-body.ts';
import { limitedClient } from '../http/rate-limits.ts';
import type { SignedInUser } from './require-user.ts';
import { isLinkSession } from '../sessions/sessions.ts';

/** Time for which a session is fresh after sign-in or reauthentication. */
const freshSeconds = 600;
/** The same for setting the password in a session from an invitation or recovery link. */
const linkFreshSeconds = 3600;

export const passwordUpdate = 'Password update';

/** Anonymous users have no credentials; Supabase Auth, which compatibility runs reproduce, has no step-up. */
const isExempt = ({ config }: AuthContext, { user }: SignedInUser): boolean =>
  config.PROFILE === 'compat' || user.is_anonymous;

function isFresh(signedInUser: SignedInUser, change: string, now: Date): boolean {
  const { user, session } = signedInUser;
  if (!session) return false;
  const within = (since: Date | null, seconds: number): boolean =>
    since !== null && addSeconds(since, seconds) > now;
  const isReauthenticated = within(session.reauthenticated_at, freshSeconds);
  // A user with a verified factor can reauthenticate only with it: at AAL2 only the factor, or a sign-in with a passkey, sets
  // the time.
  if (user.has_verified_factor) return session.aal === 'aal2' && isReauthenticated;
  if (!isLinkSession(signedInUser)) return isReauthenticated || within(session.created_at, freshSeconds);
  return isReauthenticated || (change === passwordUpdate && within(session.created_at, linkFreshSeconds));
}

/**
 * Requires a fresh session.
 *
 * @param change the action of the user, for the message
 * @param body can contain `current_password` or `nonce`, which count for this request only
 * @throws AuthError 400 `reauthentication_needed`, 401 `insufficient_aal`, 403 `password_not_set`; those of
 *   `verifyOwnerCredentials` for wrong credentials; 429 after too many, right or wrong
 */
export async function requireFresh(
  context: AuthContext,
  signedInUser: SignedInUser,
  change: string,
  body?: RequestBody,
): Promise<void> {
  const { user, session } = signedInUser;
  if (user.has_verified_factor && session?.aal !== 'aal2') {
    const message = 'AAL2 session is required to update email or password when MFA is enabled.';
    throw new AuthError(401, 'insufficient_aal', message);
  }
  let isReauthenticated = false;
  if (body !== undefined && (body.getString('current_password') !== '' || body.getString('nonce') !== '')) {
    // Also a right password takes time to hash, and the limit of the change is counted after it.
    await context.limits.consume('stepUp', limitedClient(signedInUser.client, signedInUser));
    isReauthenticated = await verifyOwnerCredentials(context, signedInUser, body, { consume: false });
  }
  if (isExempt(context, signedInUser)) return;
  if (isFresh(signedInUser, change, await context.now(context.database))) return;
  if (isReauthenticated && !user.has_verified_factor) return;
  const isFromLink = isLinkSession(signedInUser);
  if (isFromLink && change !== passwordUpdate) {
    throw passwordNotSetError();
  }
  throw new AuthError(
    400,
    'reauthentication_needed',
    isFromLink
      ? 'You opened this link more than an hour ago. Open it again. If it no longer works, request a new one.'
      : `${change} requires reauthentication`,
  );
}

/**
 * Checks the current password or an emailed code. Failed attempts are counted for the session and for the network.
 *
 * @param consume true to consume a correct code; otherwise the caller calls `consumeNonce` with the change
 * @returns false if the body contains neither
 * @throws AuthError 400 `current_password_invalid`, 422 `reauthentication_not_valid`, 429
 */
export async function verifyOwnerCredentials(
  context: AuthContext,
  { user, session, client }: SignedInUser,
  body: RequestBody,
  { consume }: { readonly consume: boolean },
): Promise<boolean> {
  const attempt = (work: () => Promise<boolean>): Promise<boolean> =>
    context.limits.limitAttempts(
      {
        identifier: user.email ?? user.id,
        client,
        owner: { kind: 'session', id: session?.id ?? user.id },
        purpose: 'step_up',
      },
      work,
      (isCorrect) => isCorrect,
    );
  const current = body.getString('current_password');
  if (current !== '') {
    const isCorrect = await attempt(
      async () => (await context.hasher.verify(current, user.encrypted_password, user.id)).ok,
    );
    if (isCorrect) return true;
    const message = 'Current password required when setting new password.';
    throw new AuthError(400, 'current_password_invalid', message);
  }
  const nonce = normalizeCode(body.getString('nonce'));
  if (nonce === '') return false;
  const isCorrect = await attempt(() =>
    context.database.transaction(async (tx) => {
      const token = await findTokenByCode(tx, context, {
        types: ['reauthentication'],
        relatesTo: user.email ?? user.phone ?? '',
        code: nonce,
      });
      if (token?.user_id !== user.id) return false;
      if (consume) await clearCode(tx, token.id);
      return true;
    }),
  );
  if (isCorrect) return true;
  throw invalidNonceError();
}

/**
 * Consumes the emailed code that `requireFresh` accepted, in the transaction of the change, so that a rejected change
 * does not consume it.
 *
 * @throws AuthError 422 `reauthentication_not_valid` if a concurrent request consumed it
 */
export async function consumeNonce(
  tx: Transaction,
  { user }: SignedInUser,
  body: RequestBody,
): Promise<void> {
  if (body.getString('nonce') === '' || body.getString('current_password') !== '') return;
  const consumed = await tx.query(sql`update auth.one_time_tokens set code_hash = null
    where user_id = ${user.id} and token_type = 'reauthentication' and code_hash is not null returning id`);
  if (consumed.length === 0) throw invalidNonceError();
}

const invalidNonceError = (): AuthError =>
  new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid');
