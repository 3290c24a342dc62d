/** Runs compiled statements as the caller and reads their single answer row. */
import { LRUCache } from 'lru-cache';
import type { BatchOptions, Database, Statement } from '@lanternrock/postgres';
import { settingsStatement, type TransactionSettings } from '../transaction-settings.ts';

/** Answer columns by position, as the compiler ordered them. */
export type ResultRow = readonly (string | null)[];

export interface StatementResult {
  /** Rows of the main statement; one, except for query plans. */
  readonly rows: readonly ResultRow[];
  /** Rows of the statement that follows it, if any. */
  readonly next: readonly ResultRow[];
}

/**
 * The role in which somebody's last request ran. A guess that saves planning: plans belong to a role,
 * and which one it is this time the database alone decides.
 */
const lastRoles = new LRUCache<string, string>({ max: 10_000 });

/** One round trip: settings, the main statement, and one more where it is needed. */
export async function runStatement(
  database: Database,
  scope: TransactionSettings,
  main: Statement,
  next?: Statement,
  onClientAbort?: BatchOptions['onClientAbort'],
): Promise<StatementResult> {
  const statements = [settingsStatement(database, scope), main, ...(next ? [next] : [])];
  const { role, userId } = scope.identity;
  const planKey = (userId === null ? undefined : lastRoles.get(userId)) ?? role;
  const withStatementTimeout = (limit: number): Statement[] => {
    const statementTimeout = Math.min(limit, scope.statementTimeout);
    return [settingsStatement(database, { ...scope, statementTimeout }), main];
  };
  const results = await database.batch(statements, {
    planKey,
    // Only reads may be abandoned, and a second statement follows where the first may be long.
    ...(onClientAbort && { onClientAbort, ...(next ? {} : { withStatementTimeout }) }),
  });
  // The settings statement answers the role that it took in its last column.
  const taken = results[0]?.rows[0]?.at(-1);
  if (userId !== null && taken) lastRoles.set(userId, taken);
  return { rows: results[1]?.rows ?? [], next: results[2]?.rows ?? [] };
}

/** Carries the answer out of a transaction that is rolled back on purpose. */
class Undo extends Error {
  readonly rows: readonly ResultRow[];

  constructor(rows: readonly ResultRow[]) {
    super('rolled back as asked');
    this.rows = rows;
  }
}

/** As `run`, for `Prefer: tx=rollback`: deferred constraints still speak, and nothing is kept. */
export async function runAndRollBack(
  database: Database,
  scope: TransactionSettings,
  main: Statement,
): Promise<StatementResult> {
  try {
    await database.transaction(async (tx) => {
      await tx.query(settingsStatement(database, scope));
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
