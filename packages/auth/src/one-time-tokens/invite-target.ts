/** Finds the user of `invite_token` in `/authorize`, who accepts the invite by signing in with a provider. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import type { InviteTarget } from '../ports.ts';

/**
 * Returns the user of a valid link of type `invite`.
 *
 * @param tokenHash SHA-256 of the token in the link
 */
export async function findInviteTarget(
  tx: Transaction,
  { hooks, now }: Pick<AuthContext, 'hooks' | 'now'>,
  tokenHash: Uint8Array,
): Promise<InviteTarget | null> {
  const at = await now(tx);
  const target = await hooks.resolveInvite(tx, { tokenHash, openedBy: null, now: at });
  if (target !== null && target !== 'expired') return target;
  const [row] = await tx.query<{ user_id: string; relates_to: string }>(sql`select user_id, relates_to
    from auth.one_time_tokens
    where token_hash = ${tokenHash} and token_type = 'invitation' and expires_at > ${at}`);
  return row ? { userId: row.user_id, email: row.relates_to, reference: null } : null;
}

/**
 * Returns the user of a valid link of type `invite`.
 *
 * @param tokenHash SHA-256 of the token in the link
 * @throws AuthError 404 `user_not_found` if the token is unknown or has expired
 */
export async function requireInviteTarget(
  tx: Transaction,
  context: Pick<AuthContext, 'hooks' | 'now'>,
  tokenHash: Uint8Array,
): Promise<InviteTarget> {
  const target = await findInviteTarget(tx, context, tokenHash);
  if (!target) throw new AuthError(404, 'user_not_found', 'User identified by token not found');
  return target;
}
