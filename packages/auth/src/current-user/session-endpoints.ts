/** Lists and revokes the sessions of the current user. */
import { sql } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { revokeSessionById } from '../sessions/session-writes.ts';
import { isUuid } from '@lanternrock/contract/uuid';

interface SessionRow {
  readonly id: string;
  readonly created_at: Date;
  readonly refreshed_at: Date | null;
  readonly user_agent: string | null;
  readonly ip: string | null;
  readonly aal: string;
}

/**
 * `GET /user/sessions`: `[{id, created_at, refreshed_at, user_agent, ip, aal, current}]`, most recently used first.
 */
export const listSessions = endpoint({ guard: 'session' }, async ({ c, context, user, session }) => {
  const rows = await context.database.query<SessionRow>(sql`select id, created_at, refreshed_at, user_agent,
      host(ip) as ip, aal::text from auth.sessions
    where user_id = ${user.id} and (not_after is null or not_after > ${await context.now(context.database)})
    order by coalesce(refreshed_at, created_at) desc, id`);
  return c.json(rows.map((row) => ({ ...row, current: row.id === session.id })));
});

/** `DELETE /user/sessions/{id}`: 204; 404 for a session of another user. */
export const revokeSession = endpoint(
  { guard: 'session', limit: 'sessions' },
  async ({ c, context, user, client }) => {
    const id = c.req.param('id') ?? '';
    await context.database.transaction(async (tx) => {
      if (!isUuid(id) || !(await revokeSessionById(tx, user.id, id)))
        throw new AuthError(404, 'session_not_found', 'Session not found');
      await writeAuditEntry(tx, {
        action: 'logout',
        actor: user,
        client,
        traits: { scope: 'one', session_id: id },
      });
    });
    return c.body(null, 204);
  },
);
