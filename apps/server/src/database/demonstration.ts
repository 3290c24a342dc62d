/** Marks an instance whose data is invented. */
import { type Database, type Transaction, sql } from '@lanternrock/postgres';

/** Returns true if `lanternrock demo` has added data, also in the database that a backup comes from. */
export async function isDemonstration(database: Database): Promise<boolean> {
  return (await database.query(sql`select from private.demonstration`)).length > 0;
}

export async function markDemonstration(tx: Transaction): Promise<void> {
  await tx.query(sql`insert into private.demonstration default values on conflict (id) do nothing`);
}
