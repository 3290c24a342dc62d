/** Actions on an email address: authorized, and one after another across replicas. */
import { type Database, type Transaction, sql } from '@lanternrock/postgres';

/** Runs first in the transaction of an action; throws to reject the action. */
export type Authorize = (tx: Transaction) => Promise<void>;

/** For actions of the service itself. */
export const asService: Authorize = async () => {};

/** An action on an email address. */
export interface EmailAction {
  readonly email: string;
  readonly authorize: Authorize;
}

/** Serializes all actions on one email address, across replicas, until the end of the transaction. */
export async function lockEmail(tx: Transaction, email: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('invitation:' || ${email}::text, 0))`);
}

/** Runs an action on one email address in a transaction, after authorizing it and locking the address. */
export const runOnEmail = <T>(
  database: Database,
  { email, authorize }: EmailAction,
  run: (tx: Transaction) => Promise<T>,
): Promise<T> =>
  database.transaction(async (tx) => {
    await authorize(tx);
    await lockEmail(tx, email);
    return run(tx);
  });
