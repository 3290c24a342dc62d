/** Step-up authentication: sensitive changes require a session with a recent sign-in or reauthentication. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { ApiError } from '../errors.ts';
import { addSeconds, type AuthContext } from './auth-context.ts';
import { findTokenByCode, clearCode } from './one-time-tokens/one-time-tokens.ts';
import type { RequestBody } from './request-body.ts';
import type { SignedInUser } from './sessions/require-user.ts';
import { isLinkSession } from './sessions/sessions.ts';

/** Time for which a session is fresh after sign-in or reauthentication. */
const freshSeconds = 600;
/** The same for sessions from an invitation or recovery link, which can only set the password. */
const linkFreshSeconds = 3600;

export const passwordUpdate = 'Password update';

/** Anonymous users have no credentials; Supabase Auth, which compatibility runs reproduce, has no step-up. */
const isExempt = ({ config }: AuthContext, { user }: SignedInUser): boolean =>
  config.PROFILE === 'compat' || user.is_anonymous;

function isFresh(context: AuthContext, person: SignedInUser, change: string): boolean {
  const { user, session } = person;
  if (!session) return false;
  const within = (since: Date | null, seconds: number): boolean =>
    since !== null && addSeconds(since, seconds) > context.now();
  const proven = within(session.reauthenticated_at, freshSeconds);
  // A user with a verified factor can reauthenticate only with it: at AAL2 only the factor sets the time.
  if (user.has_verified_factor) return session.aal === 'aal2' && proven;
  if (!isLinkSession(person)) return proven || within(session.created_at, freshSeconds);
  return proven || (change === passwordUpdate && within(session.created_at, linkFreshSeconds));
}

/**
 * Requires a fresh session.
 *
 * @param change the action of the user, for the message
 * @param body can contain `current_password` or `nonce`, which count for this request only
 * @throws ApiError 400 `reauthentication_needed`, 401 `insufficient_aal`, 403 `password_not_set`; as `proveOwner` for
 *   wrong credentials
 */
export async function requireFresh(
  context: AuthContext,
  person: SignedInUser,
  change: string,
  body?: RequestBody,
): Promise<void> {
  const { user, session } = person;
  if (user.has_verified_factor && session?.aal !== 'aal2') {
    const message = 'AAL2 session is required to update email or password when MFA is enabled.';
    throw new ApiError(401, 'insufficient_aal', message);
  }
  const proven = body !== undefined && (await proveOwner(context, person, body));
  if (isExempt(context, person) || isFresh(context, person, change)) return;
  if (proven && !user.has_verified_factor) return;
  const byLink = isLinkSession(person);
  if (byLink && change !== passwordUpdate) {
    throw new ApiError(403, 'password_not_set', 'Set your password before you continue');
  }
  throw new ApiError(
    400,
    'reauthentication_needed',
    byLink ? 'This link was opened too long ago. Open it again.' : `${change} requires reauthentication`,
  );
}

/**
 * Checks the current password or an emailed code. Failed attempts are counted for the session and for the network.
 *
 * @param once true to consume a correct code
 * @returns false if the body contains neither
 * @throws ApiError 400 `current_password_invalid`, 422 `reauthentication_not_valid`, 429
 */
export async function proveOwner(
  context: AuthContext,
  { user, session, caller }: SignedInUser,
  body: RequestBody,
  once = false,
): Promise<boolean> {
  const attempt = (work: () => Promise<boolean>): Promise<boolean> =>
    context.limits.limitAttempts(
      {
        account: user.email ?? user.id,
        address: caller.ip,
        owner: { kind: 'session', id: session?.id ?? user.id },
      },
      work,
      (right) => right,
    );
  const current = body.getString('current_password');
  if (current !== '') {
    const right = await attempt(
      async () => (await context.hasher.verify(current, user.encrypted_password)).ok,
    );
    if (right) return true;
    const message = 'Current password required when setting new password.';
    throw new ApiError(400, 'current_password_invalid', message);
  }
  const nonce = body.getString('nonce');
  if (nonce === '') return false;
  const address = user.email ?? user.phone ?? '';
  const right = await attempt(() =>
    context.database.transaction(async (tx) => {
      const found = await findTokenByCode(tx, context, ['reauthentication'], address, nonce);
      if (found?.user_id !== user.id) return false;
      if (once) await clearCode(tx, found.id);
      return true;
    }),
  );
  if (right) return true;
  throw new ApiError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid');
}

export async function stampSession(tx: Transaction, sessionId: string, now: Date): Promise<void> {
  await tx.query(sql`update auth.sessions set reauthenticated_at = ${now}, updated_at = ${now}
    where id = ${sessionId}`);
}
