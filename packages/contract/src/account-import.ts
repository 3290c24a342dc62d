/** Imports of accounts: rules of a row, and requests and responses of the functions about imports. */
import * as z from 'zod/mini';
import { newAccountSchema, type AccountField, type NewAccount } from './accounts.ts';
import { accountTypes } from './account-types.ts';
import type { ColumnMapping } from './column-guess.ts';
import type { FileLimits } from './csv-file.ts';
import { removeFormulaGuards } from './csv-guard.ts';
import { foldText } from './fold-text.ts';
import { importColumns, slugForm, type ImportColumn } from './import-columns.ts';
import { findTypeOfWord, noTypeChoices, type TypeChoices } from './import-types.ts';
import { type BrokenRow, joinLines, toCells } from './list-file.ts';
import type { SimilarAccount } from './similar-accounts.ts';
import { slugFromName } from './slug.ts';
import { isUuid } from './uuid.ts';
// Also turns off the generated code of zod.
import {
  controlCharactersMessage,
  maxCodePoints,
  noControlCharacters,
  noDirectionControls,
} from './text-checks.ts';

/** Limits of a file in the console and in the command. */
export const importFileLimits: FileLimits = { bytes: 50 * 1024 * 1024, rows: 200_000 };

/** A row of the file: the text of its cells, for the columns that the file has. */
export type ImportRow = { readonly line: number } & {
  readonly [Column in ImportColumn]?: string | undefined;
};

/** A row that is not sent: it is broken, or the user has excluded its type. */
export interface UnsentRow extends BrokenRow {
  /** The cells of a row whose type is excluded; absent for a broken row. */
  readonly excluded?: ImportRow;
}

/** Returns the cells of a record by column. */
export function toImportRow(
  record: readonly string[],
  mapping: ColumnMapping<ImportColumn>,
  line: number,
  types: TypeChoices = noTypeChoices,
): ImportRow | UnsentRow {
  const row: ImportRow | BrokenRow = toCells(record, mapping, line);
  if ('reason' in row || row.account_type === undefined) return row;
  const { account_type: word, ...others } = row;
  const type = findTypeOfWord(word, types);
  if (type === 'none')
    return {
      line,
      reason: word === '' ? 'Not imported: it has no type' : `Not imported: its type is "${word}"`,
      excluded: others,
    };
  return type === undefined ? others : { ...others, account_type: type };
}

/** Limits of one request. */
export const importBatchLimits = { rows: 500, bytes: 1_000_000 } as const;

const loneSurrogate = /\p{Surrogate}/u;

const cell = z.optional(z.string());
const rowShape = Object.fromEntries(importColumns.map((column) => [column, cell])) as Readonly<
  Record<ImportColumn, typeof cell>
>;

const maxFileNameLength = 255;

const fileName = z.string().check(
  z.minLength(1, 'Enter the name of the file'),
  maxCodePoints(maxFileNameLength, `The name of the file is longer than ${maxFileNameLength} characters`),
  noControlCharacters,
  noDirectionControls,
  z.refine((name) => !loneSurrogate.test(name), { error: 'The name of the file has invalid characters' }),
);

/** Returns the name of a file as an import accepts it; undefined for one of spaces. */
export function toImportFileName(name: string): string | undefined {
  const text = name
    .replace(/[\p{Cc}\p{Surrogate}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .trim();
  return Array.from(text).slice(0, maxFileNameLength).join('') || undefined;
}

export const importRequestSchema = z.object({
  /** True: only reports what would happen. */
  dry_run: z.boolean(),
  /** The type of accounts that rows without a type create. An existing account keeps its type. */
  default_type: z.optional(z.enum(accountTypes)),
  /** In a dry run: also finds existing accounts whose names are spelled differently. */
  compare_spelling: z.optional(z.boolean()),
  /** Chosen by the client, the same for all requests of a file. With it, the accounts that the import creates can be removed. */
  import_id: z.optional(z.uuid()),
  /** With `import_id`: the name of the file, for the list of imports. */
  file_name: z.optional(fileName),
  rows: z
    .array(z.object({ line: z.int().check(z.positive()), ...rowShape }))
    .check(z.maxLength(importBatchLimits.rows, `Send at most ${importBatchLimits.rows} rows`)),
});

export type ImportOutcome = 'created' | 'changed' | 'unchanged' | 'rejected';

/** A field that a row changes. */
export interface ImportChange {
  readonly field: AccountField;
  readonly before: string | null;
  readonly after: string | null;
}

export interface ImportResult {
  readonly line: number;
  readonly outcome: ImportOutcome;
  /** Why the row is rejected. */
  readonly reason?: string;
  /** ID of the account. Absent for a rejected row, and in a dry run for an account that would be created. */
  readonly id?: string;
  /** In a dry run, of a row with the outcome `changed`. */
  readonly changes?: readonly ImportChange[];
  /** In a dry run: true if the row would change an account that has the same name, and nothing else proves that it is the one. */
  readonly by_name_only?: boolean;
  /** In a dry run, of a row with the outcome `created`: an existing account whose name looks the same. */
  readonly similar?: SimilarAccount;
  /** In a dry run, of a row with the outcome `created`: equal for names that look the same, such as `Mt.` and `Mount`. */
  readonly name_key?: string;
}

/** In a dry run, the results of as many rows as fit into the time of a call. The rest is sent again. */
export interface ImportResponse {
  readonly results: readonly ImportResult[];
}

/** Files of more rows are not compared for differences in spelling, which takes up to 50 ms for each row. */
export const maxSpellingRows = 2000;

/** Body of `undo-import`. */
export const undoImportSchema = z.object({
  import_id: z.uuid(),
  /** `next` of the response to the previous call. */
  after: z.optional(z.uuid()),
});

/** Response of `undo-import` with status 200. */
export interface UndoImportResponse {
  /** IDs of the accounts that the call has deleted. */
  readonly deleted: readonly string[];
  /** Accounts that are kept, because they were changed or have members, contacts or other records. */
  readonly kept: readonly {
    readonly id: string;
    readonly name: string;
    readonly reason: 'changed' | 'used';
  }[];
  /** Call again with it as `after`; null at the end. */
  readonly next: string | null;
}

/** Response of `recent-imports` with status 200: the imports that the user can undo, newest first. */
export interface RecentImportsResponse {
  readonly imports: readonly {
    readonly id: string;
    /** RFC 3339. */
    readonly created_at: string;
    /** Null if it is not known. Absent in earlier versions. */
    readonly file_name?: string | null;
    /** Number of accounts that the import has created and that still exist. */
    readonly accounts: number;
  }[];
}

/** Why an account is kept, for users. */
export const keptReasons: Readonly<Record<UndoImportResponse['kept'][number]['reason'], string>> = {
  changed: 'Kept: it was changed after the import',
  used: 'Kept: it has members, contacts or other records',
};

/** The values of a valid row. A column that the file does not have is undefined. */
export interface ImportValues {
  readonly line: number;
  readonly id: string | null;
  readonly slug: string | null;
  readonly fields: Partial<NewAccount> & { readonly name: string };
}

/** The rules of the dialog. A row of an existing account needs only its name. */
const fieldsSchema = z.extend(z.partial(newAccountSchema), { name: newAccountSchema.shape.name });

const maxSlugLength = 200;

/** Checks the cells of a row. Returns its values, or the reason for a rejection. */
export function parseImportRow(row: ImportRow): ImportValues | { readonly reason: string } {
  const cells: Partial<Record<ImportColumn, string>> = {};
  // Only a file with IDs or slugs comes from an export. In any other file an apostrophe belongs to the text.
  const isExported = row.id !== undefined || row.slug !== undefined;
  for (const column of importColumns) {
    const text = row[column];
    if (text === undefined) continue;
    if (loneSurrogate.test(text)) return { reason: 'The row has invalid characters' };
    const line = joinLines(text, column === 'address' ? ', ' : ' ');
    cells[column] = isExported ? removeFormulaGuards(line) : line;
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
  if (error) return { reason: error.issues.map(toReason).join('. ') };
  // The type of an optional field allows an explicit undefined, which safeParse does not return.
  const fields = data as ImportValues['fields'];
  return {
    line: row.line,
    id: id === '' ? null : lowerId,
    slug: slug === '' ? null : slug,
    fields,
  };
}

/** Adds the name of the field to a message without it. */
const toReason = ({ message, path }: z.core.$ZodIssue): string =>
  message === controlCharactersMessage && path[0] !== undefined
    ? `${fieldNames[path[0] as AccountField]}: ${message}`
    : message;

const fieldNames: Readonly<Record<AccountField, string>> = {
  name: 'Account name',
  account_type: 'Type',
  address: 'Address',
  city: 'City',
  state: 'State',
  zip_code: 'Zip code',
};

/** Returns what a change of an account shows, such as `City: Vail → Aspen`. */
export const formatChanges = (changes: readonly ImportChange[]): string =>
  changes
    .map(({ field, before, after }) => `${fieldNames[field]}: ${before ?? 'empty'} → ${after ?? 'empty'}`)
    .join('; ');

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
