/** Reads the filtered and sorted account list in batches, for exports. */
import type { AccountExport } from '@lanternrock/contract/account-export';
import { type AccountSort, knownStatuses } from '@lanternrock/contract/account-view';
import { foldText } from '@lanternrock/contract/fold-text';
import { type Statement, type Transaction, sql } from '@lanternrock/postgres';
import { batchRows, readBatches } from '../keyset-batches.ts';
import { createIdSet } from './id-set.ts';

export interface ExportedAccount {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly account_type: string;
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip_code: string | null;
  readonly status: string;
  readonly active_members: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** A row with the value that it is sorted by, with the full precision of Postgres. */
interface SortedAccount extends ExportedAccount {
  readonly sort_key: string;
}

/** Runs each batch in its own short transaction. */
export type RunTransaction = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** The indexed expression of each sort, and its type. */
const sortKeys: Readonly<Record<AccountSort, readonly [expression: string, type: string]>> = {
  created: ['a.created_at', 'timestamptz'],
  name: ['public.name_key(a)', 'text'],
  type: ['a.account_type', 'public.account_type'],
  status: ['a.status', 'text'],
  updated: ['a.updated_at', 'timestamptz'],
};

const columns =
  'a.id, a.name, a.slug, a.account_type, a.address, a.city, a.state, a.zip_code, a.status, a.active_members, ' +
  'a.created_at, a.updated_at';

/**
 * Yields every account that matches, at most once. Rows can change between two batches. If a row moves back in the
 * order, it follows at the end.
 */
export async function* readAccountBatches(
  list: AccountExport,
  run: RunTransaction,
): AsyncGenerator<readonly ExportedAccount[], void, undefined> {
  const batches = readBatches<SortedAccount>((last) => run((tx) => tx.query(batchStatement(list, last))));
  // The time of creation never changes, so no row can move.
  if (list.sort === 'created') return yield* batches;
  const [{ at: startedAt } = { at: null }] = await run((tx) =>
    // Earlier than now, because a transaction that is still running may already have set the time of its changes.
    tx.query<{ at: string }>(sql`select (now() - interval '5 minutes')::text as at`),
  );
  const exported = createIdSet();
  for await (const batch of batches) yield batch.filter(({ id }) => exported.add(id));
  const moved = readBatches<SortedAccount>((last) =>
    run((tx) => tx.query(changedStatement(list, last, startedAt))),
  );
  for await (const batch of moved) yield batch.filter(({ id }) => exported.add(id));
}

/** Only constants of this file are part of the text. */
function batchStatement(list: AccountExport, last: SortedAccount | null): Statement {
  const [key, type] = sortKeys[list.sort];
  const { direction } = list;
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions = filterConditions(list, bind);
  if (last !== null) {
    const after = `(${bind(last.sort_key)}::${type}, ${bind(last.id)}::uuid)`;
    conditions.push(`(${key}, a.id) ${direction === 'asc' ? '>' : '<'} ${after}`);
  }
  return {
    text: `select ${columns}, ${key}::text as sort_key from public.accounts a
             where ${conditions.join(' and ')}
             order by ${key} ${direction}, a.id ${direction} limit ${batchRows}`,
    values,
  };
}

function changedStatement(
  list: AccountExport,
  last: SortedAccount | null,
  startedAt: string | null,
): Statement {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions = filterConditions(list, bind);
  conditions.push(`a.updated_at >= ${bind(startedAt)}::timestamptz`);
  if (last !== null) conditions.push(`a.id > ${bind(last.id)}::uuid`);
  return {
    text: `select ${columns}, '' as sort_key from public.accounts a
             where ${conditions.join(' and ')} order by a.id limit ${batchRows}`,
    values,
  };
}

/** The same filter as that of the list, in `account-filter.ts` of the console. */
function filterConditions(
  { search, type, status }: AccountExport,
  bind: (value: unknown) => string,
): string[] {
  const conditions = ['true'];
  const text = foldText((search ?? '').replace(/[\u0000-\u001f\u007f]/g, ' ').trim());
  if (text !== '')
    conditions.push(`public.search_text(a) like ${bind(`%${text.replace(/[\\%_]/g, '\\$&')}%`)}`);
  if (type !== undefined) conditions.push(`a.account_type = ${bind(type)}`);
  if (status === 'other') conditions.push(`a.status <> all (${bind(knownStatuses)})`);
  else if (status !== undefined) conditions.push(`a.status = ${bind(status)}`);
  return conditions;
}
