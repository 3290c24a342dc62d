/** Finds the invitation of `invite_token` in `/authorize`, which a user accepts by signing in with a provider. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { ApiError } from '../../errors.ts';
import { findInvitationByToken } from '../../invitations/invitation-tokens.ts';
import type { AuthContext } from '../auth-context.ts';
import { invitationTag } from '../sessions/sessions.ts';

export interface InviteTarget {
  readonly userId: string;
  readonly email: string;
  /** Tag of the session; null for an invitation of `POST /invite`. */
  readonly tag: string | null;
}

/**
 * Returns the user of a pending invitation.
 *
 * @param tokenHash SHA-256 of the token in the link
 */
export async function findInviteTarget(
  tx: Transaction,
  { now }: Pick<AuthContext, 'now'>,
  tokenHash: Uint8Array,
): Promise<InviteTarget | null> {
  const invitation = await findInvitationByToken(tx, tokenHash, now());
  if (invitation) {
    const { userId, email, invitationId } = invitation;
    return { userId, email, tag: invitationTag(invitationId) };
  }
  const [row] = await tx.query<{ user_id: string; relates_to: string }>(sql`select user_id, relates_to
    from auth.one_time_tokens
    where token_hash = ${tokenHash} and token_type = 'invitation' and expires_at > ${now()}`);
  return row ? { userId: row.user_id, email: row.relates_to, tag: null } : null;
}

/**
 * Returns the user of a pending invitation.
 *
 * @param tokenHash SHA-256 of the token in the link
 * @throws ApiError 404 `user_not_found` if the token is unknown or has expired
 */
export async function requireInviteTarget(
  tx: Transaction,
  context: Pick<AuthContext, 'now'>,
  tokenHash: Uint8Array,
): Promise<InviteTarget> {
  const invited = await findInviteTarget(tx, context, tokenHash);
  if (!invited) throw new ApiError(404, 'user_not_found', 'User identified by token not found');
  return invited;
}
