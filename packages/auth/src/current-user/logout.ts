/** `POST /logout`: revokes all sessions of the user, the current one or the others. */
import type { Context } from 'hono';
import type { AuthEnv } from '../client-info.ts';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { revokeSessionById } from '../sessions/session-writes.ts';
import { revokeUserSessions } from '../users/revocation.ts';

/** @throws AuthError 400 for an unknown scope */
function readScope(c: Context<AuthEnv>): 'global' | 'local' | 'others' {
  const scope = c.req.query('scope') || 'global';
  if (scope === 'global' || scope === 'local' || scope === 'others') return scope;
  throw new AuthError(400, 'validation_failed', `Unsupported logout scope "${scope.slice(0, 50)}"`);
}

export const logout = endpoint(
  {
    guard: 'user',
    allow: ['setup', 'factor'],
    limit: (_body, { c }) => (c.req.query('scope') === 'others' ? 'sessions' : 'logout'),
    query: readScope,
  },
  async ({ c, context, user, session, client, query: scope }) => {
    await context.database.transaction(async (tx) => {
      await writeAuditEntry(tx, { action: 'logout', actor: user, client, traits: { scope } });
      if (scope === 'local' && session) await revokeSessionById(tx, user.id, session.id);
      else await revokeUserSessions(tx, user.id, scope === 'others' ? session?.id : null);
    });
    return c.body(null, 204);
  },
);
