/** Runs compiled statements as the caller and reads their single answer row. */
import { LRUCache } from 'lru-cache';
import type { BatchOptions, Database, Statement } from '../database/database.ts';
import { scopeStatement, type RequestScope } from '../database/request-scope.ts';

/** Answer columns by position, as the compiler ordered them. */
export type AnswerRow = readonly (string | null)[];

export interface Run {
  /** Rows of the main statement; one, except for query plans. */
  readonly rows: readonly AnswerRow[];
  /** Rows of the statement that follows it, if any. */
  readonly next: readonly AnswerRow[];
}

/**
 * The role in which somebody's last request ran. A guess that saves planning: plans belong to a role,
 * and which one it is this time the database alone decides.
 */
const lastRoles = new LRUCache<string, string>({ max: 10_000 });

/** One round trip: settings, the main statement, and one more where it is needed. */
export async function run(
  database: Database,
  scope: RequestScope,
  main: Statement,
  next?: Statement,
  abandoned?: BatchOptions['abandoned'],
): Promise<Run> {
  const statements = [scopeStatement(database, scope), main, ...(next ? [next] : [])];
  const { role, userId } = scope.identity;
  const planKey = (userId === null ? undefined : lastRoles.get(userId)) ?? role;
  const hurried = (limit: number): Statement[] => {
    const statementTimeout = Math.min(limit, scope.statementTimeout);
    return [scopeStatement(database, { ...scope, statementTimeout }), main];
  };
  const results = await database.batch(statements, {
    planKey,
    // Only reads may be abandoned, and a second statement follows where the first may be long.
    ...(abandoned && { abandoned, ...(next ? {} : { hurried }) }),
  });
  // The settings statement answers the role that it took in its last column.
  const taken = results[0]?.rows[0]?.at(-1);
  if (userId !== null && taken) lastRoles.set(userId, taken);
  return { rows: results[1]?.rows ?? [], next: results[2]?.rows ?? [] };
}

/** Carries the answer out of a transaction that is rolled back on purpose. */
class Undo extends Error {
  readonly rows: readonly AnswerRow[];

  constructor(rows: readonly AnswerRow[]) {
    super('rolled back as asked');
    this.rows = rows;
  }
}

/** As `run`, for `Prefer: tx=rollback`: deferred constraints still speak, and nothing is kept. */
export async function runAndUndo(database: Database, scope: RequestScope, main: Statement): Promise<Run> {
  try {
    await database.transaction(async (tx) => {
      await tx.query(scopeStatement(database, scope));
      const rows = await tx.query<Record<string, string | null>>(main);
      await tx.query({ text: 'set constraints all immediate', values: [] });
      throw new Undo(rows.map((row) => Object.values(row)));
    });
  } catch (error) {
    if (error instanceof Undo) return { rows: error.rows, next: [] };
    throw error;
  }
  return { rows: [], next: [] };
}
