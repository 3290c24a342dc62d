/** Runs compiled statements with the role of the client and returns their result row. */
import { LRUCache } from 'lru-cache';
import type { BatchOptions, Database, Statement } from '@lanternrock/postgres';
import type { CreateSettingsStatement, TransactionSettings } from './request-settings.ts';

/** Columns of the result row, in the order of the compiled statement. */
export type ResultRow = readonly (string | null)[];

export interface StatementResult {
  /** Rows of the main statement; a single row, except for query plans. */
  readonly rows: readonly ResultRow[];
  /** Rows of the second statement, if any. */
  readonly next: readonly ResultRow[];
}

/**
 * Role of each user's last request. Prepared statements are stored per role, so a correct prediction reuses their plans.
 * A wrong prediction only costs planning time, because the database determines the role of each request.
 */
const lastRoles = new LRUCache<string, string>({ max: 10_000 });

export interface StatementRun {
  readonly database: Database;
  readonly settingsStatement: CreateSettingsStatement;
  readonly transaction: TransactionSettings;
  readonly main: Statement;
}

/** Runs the settings statement, the main statement and an optional second statement in one round trip. */
export async function runStatement(
  { database, settingsStatement, transaction, main }: StatementRun,
  next?: Statement,
  onClientAbort?: BatchOptions['onClientAbort'],
): Promise<StatementResult> {
  const statements = [settingsStatement(transaction), main, ...(next ? [next] : [])];
  const { role, userId } = transaction.principal;
  const planKey = (userId === null ? undefined : lastRoles.get(userId)) ?? role;
  const withStatementTimeout = (timeoutMs: number): Statement[] => {
    const statementTimeoutMs = Math.min(timeoutMs, transaction.statementTimeoutMs);
    return [settingsStatement({ ...transaction, statementTimeoutMs }), main];
  };
  const results = await database.batch(statements, {
    planKey,
    // Only reads can be canceled. Reads with a second statement can be long, so they never use the shared connection.
    ...(onClientAbort && { onClientAbort, ...(next ? {} : { withStatementTimeout }) }),
  });
  // The last column of the settings statement is the assumed role.
  const assumedRole = results[0]?.rows[0]?.at(-1);
  if (userId !== null && assumedRole) lastRoles.set(userId, assumedRole);
  return { rows: results[1]?.rows ?? [], next: results[2]?.rows ?? [] };
}

/** Thrown to roll back a transaction; carries its result. */
class RollbackError extends Error {
  readonly rows: readonly ResultRow[];

  constructor(rows: readonly ResultRow[]) {
    super('transaction rolled back on request');
    this.rows = rows;
  }
}

/** Runs a statement for `Prefer: tx=rollback`: checks deferred constraints, then rolls back. */
export async function runAndRollBack({
  database,
  settingsStatement,
  transaction,
  main,
}: StatementRun): Promise<StatementResult> {
  try {
    await database.transaction(async (tx) => {
      await tx.query(settingsStatement(transaction));
      const rows = await tx.query<Record<string, string | null>>(main);
      await tx.query({ text: 'set constraints all immediate', values: [] });
      throw new RollbackError(rows.map((row) => Object.values(row)));
    });
  } catch (error) {
    if (error instanceof RollbackError) return { rows: error.rows, next: [] };
    throw error;
  }
  return { rows: [], next: [] };
}
