/** Reads the filtered and sorted account list in batches, for exports. */
import type { AccountExport, AccountListFilter } from '@lanternrock/contract/account-export';
import { parseAccountSearch, type SearchedColumn } from '@lanternrock/contract/account-search';
import { type AccountSort, accountStatuses } from '@lanternrock/contract/account-view';
import { type Statement, type Transaction, sql } from '@lanternrock/postgres';
import { batchRows, readBatches } from '../keyset-batches.ts';

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
  const batches =
    searchCondition(list, () => '') === null
      ? readBatches<SortedAccount>((last) => run((tx) => tx.query(batchStatement(list, last))))
      : readMatches((last) => run((tx) => tx.query(scanStatement(list, last))));
  // The time of creation never changes, so no row can move.
  if (list.sort === 'created') return yield* batches;
  const [{ at: startedAt } = { at: null }] = await run((tx) =>
    // Earlier than now, because a transaction that is still running may already have set the time of its changes.
    tx.query<{ at: string }>(sql`select (now() - interval '5 minutes')::text as at`),
  );
  // Some 90 MB for a million accounts.
  const exported = new Set<string>();
  const unexported = (batch: readonly SortedAccount[]): readonly SortedAccount[] => {
    const rows = batch.filter(({ id }) => !exported.has(id));
    for (const { id } of rows) exported.add(id);
    return rows;
  };
  for await (const batch of batches) yield unexported(batch);
  const moved = readBatches<SortedAccount>((last) =>
    run((tx) => tx.query(changedStatement(list, last, startedAt))),
  );
  for await (const batch of moved) yield unexported(batch);
}

/**
 * Accounts that one statement of a search reads in the order of the list, in some 30 ms. A statement that reads until it has
 * a batch of matches can read the whole table, and continues after the client has left.
 */
const scannedAccounts = 20_000;

/** The position of an account in the order of the list. */
type Position = Pick<SortedAccount, 'id' | 'sort_key'>;

/** A match, with the number of accounts that the statement read and the last one of them. All fields of the match can be null. */
type ScannedAccount = (SortedAccount | { readonly id: null }) & {
  readonly scanned: number;
  readonly last_id: string;
  readonly last_key: string;
};

/** Yields the matches of each statement; none if the accounts that it read do not match. */
async function* readMatches(
  scanAfter: (last: Position | null) => Promise<readonly ScannedAccount[]>,
): AsyncGenerator<readonly SortedAccount[], void, undefined> {
  for (let last: Position | null = null; ;) {
    const rows: readonly ScannedAccount[] = await scanAfter(last);
    const matches = rows.filter((row): row is SortedAccount & ScannedAccount => row.id !== null);
    yield matches;
    const [row] = rows;
    if (matches.length === batchRows) last = matches.at(-1) ?? null;
    else if (row?.scanned === scannedAccounts) last = { id: row.last_id, sort_key: row.last_key };
    else return;
  }
}

/** Returns the statement that reads the next accounts in order and searches them. */
function scanStatement(list: AccountExport, last: Position | null): Statement {
  const [key] = sortKeys[list.sort];
  const { direction } = list;
  const { values, bind, conditions } = rangeConditions(list, last);
  return {
    // The join reads the columns of the matches only.
    text: `with scanned as materialized (
             select a.id, ${key} as key, ${searchCondition(list, bind)} as matches
               from public.accounts a where ${conditions.join(' and ')}
               order by ${key} ${direction}, a.id ${direction} limit ${scannedAccounts}
           ), ends as (
             select (select count(*)::int from scanned) as scanned, id as last_id, key::text as last_key
               from scanned order by key ${reverse[direction]}, id ${reverse[direction]} limit 1
           ), found as (
             select id from scanned where matches order by key ${direction}, id ${direction} limit ${batchRows}
           )
           select ends.*, ${columns}, ${key}::text as sort_key
             from ends left join (found join public.accounts a on a.id = found.id) on true
             order by ${key} ${direction}, a.id ${direction}`,
    values,
  };
}

const reverse = { asc: 'desc', desc: 'asc' } as const;

/** Returns the conditions of the filter without its search, and of the accounts after a position. */
function rangeConditions(list: AccountExport, last: Position | null) {
  const [key, type] = sortKeys[list.sort];
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions = filterConditions(list, bind);
  if (last !== null) {
    const after = `(${bind(last.sort_key)}::${type}, ${bind(last.id)}::uuid)`;
    conditions.push(`(${key}, a.id) ${list.direction === 'asc' ? '>' : '<'} ${after}`);
  }
  return { values, bind, conditions };
}

/** Only constants of this file are part of the text. */
function batchStatement(list: AccountExport, last: SortedAccount | null): Statement {
  const [key] = sortKeys[list.sort];
  const { direction } = list;
  const { values, conditions } = rangeConditions(list, last);
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
  const search = searchCondition(list, bind);
  if (search !== null) conditions.push(search);
  conditions.push(`a.updated_at >= ${bind(startedAt)}::timestamptz`);
  if (last !== null) conditions.push(`a.id > ${bind(last.id)}::uuid`);
  return {
    text: `select ${columns}, '' as sort_key from public.accounts a
             where ${conditions.join(' and ')} order by a.id limit ${batchRows}`,
    values,
  };
}

type Bind = (value: unknown) => string;

const toPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

const searchedColumns: Readonly<Record<SearchedColumn, string>> = {
  search_text: 'public.search_text(a)',
  place_text: 'public.place_text(a)',
  contact_text: 'a.contact_text',
};

/** Returns the SQL of the search, or null without one. The same search as that of the list. */
export function searchCondition({ search = '', wide }: AccountListFilter, bind: Bind): string | null {
  const alternatives = parseAccountSearch(search, wide);
  if (alternatives === null) return null;
  const any = (conditions: readonly string[]): string => `(${conditions.join(' or ')})`;
  return any(
    alternatives.map((words) =>
      words
        .map((word) =>
          any(word.map(({ column, text }) => `${searchedColumns[column]} like ${bind(toPattern(text))}`)),
        )
        .join(' and '),
    ),
  );
}

/** The same filters as those of the list, in `account-filter.ts` of the console, without the search. */
export function filterConditions({ type, status }: AccountListFilter, bind: Bind): string[] {
  const conditions = ['true'];
  if (type !== undefined) conditions.push(`a.account_type = ${bind(type)}`);
  if (status === 'other') conditions.push(`a.status <> all (${bind(accountStatuses)})`);
  else if (status !== undefined) conditions.push(`a.status = ${bind(status)}`);
  return conditions;
}
