/** `POST /logout?scope=global|local|others` (auth contract 4.7). */
import type { Context } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import { sql } from '../../database/sql.ts';
import { Refusal } from '../../errors.ts';
import { writeAudit } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import { requirePerson } from './bearer.ts';
import { endOtherSessions } from './sessions.ts';

export async function logout(c: Context<AppEnv>, context: AuthContext): Promise<Response> {
  const { user, session, caller } = await requirePerson(c, context, {
    duringSetup: true,
    beforeFactor: true,
  });
  const scope = c.req.query('scope') || 'global';
  if (scope !== 'global' && scope !== 'local' && scope !== 'others') {
    throw new Refusal(400, 'validation_failed', `Unsupported logout scope "${scope.slice(0, 50)}"`);
  }
  await context.database.transaction(async (tx) => {
    await writeAudit(tx, { action: 'logout', actor: user, caller, traits: { scope } });
    if (scope === 'global' || !session) await endOtherSessions(tx, user.id, null);
    else if (scope === 'others') await endOtherSessions(tx, user.id, session.id);
    else await tx.query(sql`delete from auth.sessions where id = ${session.id}`);
  });
  return c.body(null, 204);
}
