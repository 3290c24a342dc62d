/**
 * `GET /user/sign-in-methods`: lists the methods that setting a password after a recovery or an invitation removes.
 */
import type { SignInMethod } from '@lanternrock/contract/sign-in-methods';
import { AuthError } from '../auth-error.ts';
import { listSignInMethods } from '../users/sign-in-methods.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { isLinkSession } from '../sessions/sessions.ts';

/**
 * Returns `SignInMethod[]`, oldest first. The list is empty unless the session comes from a link, because only then a
 * new password removes methods.
 *
 * @throws AuthError 401 `insufficient_aal` if the user has a verified second factor and the session is at AAL1
 */
export const getSignInMethods = endpoint(
  {
    guard: 'session',
    allow: ['setup', 'factor'],
    check: ({ user, session }) =>
      user.has_verified_factor && session.aal !== 'aal2'
        ? new AuthError(401, 'insufficient_aal', 'AAL2 session is required to list sign-in methods')
        : null,
  },
  async ({ c, context, user, session }) => {
    if (!isLinkSession({ user, session })) return c.json([] satisfies SignInMethod[]);
    const rows = await listSignInMethods(context.database, user.id);
    const methods: SignInMethod[] = rows.map(({ id, kind, name, created_at, last_used_at }) => ({
      id,
      kind,
      name,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    }));
    return c.json(methods);
  },
);
