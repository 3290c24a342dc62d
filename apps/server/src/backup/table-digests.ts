/** Counts and digests of the rows of a table, by which a restored table is compared with the one of the backup. */
import { createHash } from 'node:crypto';
import type { Transaction } from '@lanternrock/postgres';
import { listBackupTables, type BackupTable } from './backup-tables.ts';

export interface TableDigest {
  readonly rows: number;
  /** 64 hexadecimal digits. */
  readonly digest: string;
}

/** By qualified name, with all tables of the backup. */
export type TableDigests = Readonly<Record<string, TableDigest>>;

interface DigestBuilder {
  /** @param row the text of the row in the backup */
  add(row: string): void;
  result(): TableDigest;
}

const modulus = 1n << 256n;

/**
 * The digest is the sum of the SHA-256 hashes of all rows, modulo 2^256: a restored table can return its rows in another
 * order. It detects damage. It is no signature, because everybody can compute it.
 */
export function createDigest(): DigestBuilder {
  let rows = 0;
  let sum = 0n;
  return {
    add: (row) => {
      rows += 1;
      sum = (sum + BigInt(`0x${createHash('sha256').update(row).digest('hex')}`)) % modulus;
    },
    result: () => ({ rows, digest: sum.toString(16).padStart(64, '0') }),
  };
}

/** Rows per fetch. */
const batchSize = 500;

/**
 * Yields the rows of a table in batches, each as JSON that Postgres formats, so that no number loses precision. Generated
 * columns are omitted: another engine may compute them in another way.
 */
export async function* readRows(tx: Transaction, { name, columns }: BackupTable): AsyncGenerator<string[]> {
  await tx.query({
    text: `declare backup no scroll cursor for select to_jsonb(t)::text as row from (select ${columns} from ${name}) t`,
    values: [],
  });
  for (;;) {
    const fetched = await tx.query<{ row: string }>({ text: `fetch ${batchSize} from backup`, values: [] });
    if (fetched.length > 0) yield fetched.map(({ row }) => row);
    if (fetched.length < batchSize) break;
  }
  await tx.query({ text: 'close backup', values: [] });
}

/** Reads all tables that a backup contains. */
export async function readDigests(tx: Transaction): Promise<TableDigests> {
  const digests: Record<string, TableDigest> = {};
  for (const table of await listBackupTables(tx)) {
    const digest = createDigest();
    for await (const rows of readRows(tx, table)) for (const row of rows) digest.add(row);
    digests[table.name] = digest.result();
  }
  return digests;
}

/** Returns one text for each table that differs. */
export function compareDigests(expected: TableDigests, found: TableDigests): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
  return names.flatMap((name) => {
    const [before, after] = [expected[name], found[name]];
    if (before?.rows !== after?.rows)
      return `${name} has ${after?.rows ?? 0} rows instead of ${before?.rows ?? 0}`;
    return before?.digest === after?.digest ? [] : `${name} has other content`;
  });
}
