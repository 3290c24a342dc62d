/** Imports of accounts: columns of a file, rules of a row, and the request and response of `import-accounts`. */
import * as z from 'zod/mini';
import { accountFields, newAccountSchema, type AccountField, type NewAccount } from './accounts.ts';
import type { ColumnMapping, FileLimits } from './csv-file.ts';
import { removeFormulaGuards } from './csv-guard.ts';
import { foldText } from './fold-text.ts';
import { slugFromName } from './slug.ts';
import { isUuid } from './uuid.ts';
// Also turns off the generated code of zod.
import './text-checks.ts';

/** The columns of an import. Other columns of a file are ignored. */
export type ImportColumn = 'id' | 'slug' | AccountField;
export const importColumns: readonly ImportColumn[] = ['id', 'slug', ...accountFields];

/** Limits of a file in the console and in the command. */
export const importFileLimits: FileLimits = { bytes: 50 * 1024 * 1024, rows: 200_000 };

/** Names that a header may have, for `guessColumns`. */
export const importColumnNames: Readonly<Record<ImportColumn, readonly string[]>> = {
  id: ['id', 'accountid', 'uuid'],
  slug: ['slug', 'accountslug'],
  name: ['name', 'accountname', 'account', 'customer', 'customername', 'organisation', 'company'],
  account_type: ['accounttype', 'type', 'kind'],
  address: ['address', 'streetaddress', 'street', 'address1', 'addressline1'],
  city: ['city', 'town', 'place', 'locality'],
  state: ['state', 'province', 'region', 'canton', 'stateprovince'],
  zip_code: ['zipcode', 'zip', 'postalcode', 'postcode', 'plz'],
};

/** Returns the sentence that explains why the columns cannot be imported, or null. */
export function findColumnProblem(
  mapping: ColumnMapping<ImportColumn>,
  header: readonly string[],
  file: string,
): string | null {
  const list = (cells: readonly string[]): string => cells.map((cell) => `"${cell}"`).join(', ');
  for (const column of importColumns) {
    const headers = header.filter((_, index) => mapping[index] === column);
    if (headers.length > 1)
      return `${file} has several columns for ${column.replace('_', ' ')}: ${list(headers)}. Keep one of them.`;
  }
  if (mapping.includes('name')) return null;
  return `${file} has no column with the account name. Its columns are ${list(header)}.`;
}

/** A row of the file: the text of its cells, for the columns that the file has. */
export type ImportRow = { readonly line: number } & {
  readonly [Column in ImportColumn]?: string | undefined;
};

/** A row that is rejected without a look at its cells. */
export interface BrokenRow {
  readonly line: number;
  readonly reason: string;
}

/** Returns the cells of a record by column. */
export const toImportRow = (
  record: readonly string[],
  mapping: ColumnMapping<ImportColumn>,
  line: number,
): ImportRow | BrokenRow => toImportCells(record, mapping, line);

/** The same for the columns of any list. */
export function toImportCells<Column extends string>(
  record: readonly string[],
  mapping: ColumnMapping<Column>,
  line: number,
): ({ readonly line: number } & Readonly<Partial<Record<Column, string>>>) | BrokenRow {
  const isExtra = (text: string, index: number): boolean => index >= mapping.length && text !== '';
  if (record.length < mapping.length || record.some(isExtra))
    return {
      line,
      reason: `The row has ${record.length} ${record.length === 1 ? 'cell' : 'cells'}, but the header has ${mapping.length}`,
    };
  const cells: Partial<Record<Column, string>> = {};
  for (const [index, column] of mapping.entries()) if (column !== null) cells[column] = record[index] ?? '';
  return { line, ...cells };
}

/** Limits of one request. */
export const importBatchLimits = { rows: 500, bytes: 1_000_000 } as const;

const cell = z.optional(z.string());
const rowShape = Object.fromEntries(importColumns.map((column) => [column, cell])) as Readonly<
  Record<ImportColumn, typeof cell>
>;

export const importRequestSchema = z.object({
  /** True: only reports what would happen. */
  dry_run: z.boolean(),
  rows: z
    .array(z.object({ line: z.int().check(z.positive()), ...rowShape }))
    .check(z.maxLength(importBatchLimits.rows, `Send at most ${importBatchLimits.rows} rows`)),
});

export type ImportOutcome = 'created' | 'changed' | 'unchanged' | 'rejected';

export interface ImportResult {
  readonly line: number;
  readonly outcome: ImportOutcome;
  /** Why the row is rejected. */
  readonly reason?: string;
  /** ID of the account. Absent for a rejected row, and in a dry run for an account that would be created. */
  readonly id?: string;
}

export interface ImportResponse {
  readonly results: readonly ImportResult[];
}

/** The values of a valid row. A column that the file does not have is undefined. */
export interface ImportValues {
  readonly line: number;
  readonly id: string | null;
  readonly slug: string | null;
  readonly fields: Partial<NewAccount> & { readonly name: string };
}

/** The rules of the dialog. A row of an existing account needs only its name. */
const fieldsSchema = z.extend(z.partial(newAccountSchema), { name: newAccountSchema.shape.name });

const slugForm = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const maxSlugLength = 200;
const loneSurrogate = /\p{Surrogate}/u;

/** Checks the cells of a row. Returns its values, or the reason for a rejection. */
export function parseImportRow(row: ImportRow): ImportValues | { readonly reason: string } {
  const cells: Partial<Record<ImportColumn, string>> = {};
  // Only a file with IDs or slugs comes from an export. In any other file an apostrophe belongs to the text.
  const isExported = row.id !== undefined || row.slug !== undefined;
  for (const column of importColumns) {
    const text = row[column];
    if (text === undefined) continue;
    if (loneSurrogate.test(text)) return { reason: 'The row has invalid characters' };
    cells[column] = isExported ? removeFormulaGuards(text.trim()) : text.trim();
  }
  const { id = '', slug = '', account_type: type, ...texts } = cells;
  const lowerId = id.toLowerCase();
  if (id !== '' && !isUuid(lowerId)) return { reason: 'The ID is not valid' };
  if (slug.length > maxSlugLength || (slug !== '' && !slugForm.test(slug)))
    return { reason: 'The slug is not valid' };
  const { data, error } = fieldsSchema.safeParse({
    name: '',
    ...texts,
    ...(type === undefined ? {} : { account_type: type.toLowerCase() }),
  });
  if (error) return { reason: error.issues.map(({ message }) => message).join('. ') };
  // The type of an optional field allows an explicit undefined, which safeParse does not return.
  const fields = data as ImportValues['fields'];
  return {
    line: row.line,
    id: id === '' ? null : lowerId,
    slug: slug === '' ? null : slug,
    fields,
  };
}

/** Returns the slug of an account that the row creates. */
export const slugOfRow = ({ slug, fields }: ImportValues): string => slug ?? slugFromName(fields.name);

/**
 * Returns a function that finds rows of one file that name the same account. Call it for each row in the order of the
 * file, with the ID of the account or null if the row creates one. It returns the line of the earlier row, or null.
 */
export function createRepeatCheck(): (row: ImportValues, accountId: string | null) => number | null {
  const lines = new Map<string, number>();
  return (row, accountId) => {
    const { claims, conflicts } = rowKeys(row, accountId);
    for (const key of conflicts) {
      const earlier = lines.get(key);
      if (earlier !== undefined && earlier !== row.line) return earlier;
    }
    for (const key of claims) if (!lines.has(key)) lines.set(key, row.line);
    return null;
  };
}

interface RowKeys {
  readonly claims: readonly string[];
  /** Keys that no earlier row may have claimed. */
  readonly conflicts: readonly string[];
}

function rowKeys(row: ImportValues, accountId: string | null): RowKeys {
  if (accountId !== null) {
    const key = `id ${accountId}`;
    return { claims: [key], conflicts: [key] };
  }
  // A slug of the file names one account. A derived slug may belong to several names.
  const slug = slugOfRow(row);
  const named = `named ${slug}`;
  const derived = `derived ${slug}`;
  if (row.slug !== null) return { claims: [named], conflicts: [named, derived] };
  const { name, city } = row.fields;
  const account = `account ${JSON.stringify([slug, foldText(name), foldText(city ?? '')])}`;
  return { claims: [derived, account], conflicts: [named, account] };
}

export const repeatedRowReason = (line: number, earlier: number): string =>
  `Line ${line} names the same account as line ${earlier}`;
