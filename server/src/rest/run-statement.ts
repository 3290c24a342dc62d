/** Runs compiled statements as the caller and reads their single answer row. */
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

/** One round trip: settings, the main statement, and one more where it is needed. */
export async function run(
  database: Database,
  scope: RequestScope,
  main: Statement,
  next?: Statement,
  abandoned?: BatchOptions['abandoned'],
): Promise<Run> {
  const statements = [scopeStatement(database, scope), main, ...(next ? [next] : [])];
  const results = await database.batch(statements, {
    planKey: scope.identity.role,
    ...(abandoned && { abandoned }),
  });
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
