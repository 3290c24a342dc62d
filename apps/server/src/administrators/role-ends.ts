/** Ends the sessions of administrators whose role has ended. The database itself ends the rights. */
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { recordDeletions } from '../audit-log.ts';

interface EndedSession {
  readonly id: string;
  readonly user_id: string;
  readonly created_at: Date;
}

/** @returns the number of ended sessions */
export const endRoles = (database: Database): Promise<number> =>
  database.transaction(async (tx: Transaction) => {
    await tx.query(sql`select set_config('request.id', 'end of the role', true)`);
    const ended = await tx.query<EndedSession>(sql`select id, user_id, created_at from private.end_roles()`);
    if (ended.length > 0) await recordDeletions(tx, 'auth.sessions', ended);
    return ended.length;
  });
