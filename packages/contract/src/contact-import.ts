/** Imports of contacts: columns of a file, rules of a row, and the request and response of `import-contacts`. */
import * as z from 'zod/mini';
import { contactFieldsSchema, type ContactField, type ContactFields } from './account-contacts.ts';
import { importFileLimits } from './account-import.ts';
import { accountLimits } from './accounts.ts';
import { type ColumnMapping, type ColumnNames, guessColumns } from './column-guess.ts';
import { type FileColumns, findProblemOfColumns } from './column-problem.ts';
import { removeFormulaGuards } from './csv-guard.ts';
import { type BrokenRow, joinLines, toCells } from './list-file.ts';
import { countCodePoints } from './text-checks.ts';
import { isUuid } from './uuid.ts';

const contactFields = Object.keys(contactFieldsSchema.shape) as readonly ContactField[];

/** The columns of an import, and of an export. Other columns of a file are ignored. */
export type ContactColumn = 'account_id' | 'account' | 'contact_id' | ContactField;
export const contactColumns: readonly ContactColumn[] = [
  'account_id',
  'account',
  'contact_id',
  ...contactFields,
];

export const contactFileLimits = importFileLimits;

const splitNames = (names: string): readonly string[] => names.split(' ');

/** Names that a header may have, for `guessColumns`. */
export const contactColumnNames: Readonly<Record<ContactColumn, ColumnNames>> = {
  account_id: { names: ['accountid'] },
  account: {
    // Without names that also mean a person, such as `name` and `nom`: those are `restNames`.
    names: splitNames(
      'account accountname customer customername organisation organization company kundenname kunde firmenname vereinsname organisationsname kontoname nomclient nomduclient raisonsociale entreprise nomecliente ragionesociale azienda organizzazione',
    ),
    weakNames: splitNames(
      'verein firma team station department club konto client cliente association associazione societe societa wache',
    ),
    // Beside a column such as `Contact name`, which is the name of the contact.
    restNames: splitNames('name nom nome'),
  },
  contact_id: { names: ['contactid'] },
  name: {
    names: splitNames(
      'contactname contactperson fullname kontaktname kontaktperson ansprechpartner nomducontact nomcontact nomecontatto referente name nom nome contact kontakt contatto person',
    ),
  },
  role: { names: splitNames('role function position title jobtitle funktion rolle fonction funzione ruolo') },
  phone: {
    names: splitNames(
      'phone phonenumber telephone tel mobile cell telefon telefonnummer handy mobil telefono cellulare portable',
    ),
  },
  email: { names: splitNames('email emailaddress mail emailadresse courriel') },
  note: { names: splitNames('note notes comment remark notiz bemerkung remarque nota') },
};

/** Returns true if a header of a list of accounts is that of a phone number or an email address of a contact. */
export const hasContactColumns = (header: readonly string[]): boolean => {
  const { phone, email } = contactColumnNames;
  return guessColumns(header, { phone, email }, { records: [] }).some((column) => column !== null);
};

const isId = (cell: string): boolean => isUuid(cell.toLowerCase());

/** A column of numbers with the header `Account ID` has no IDs of accounts. */
export const contactColumnRules = { account_id: isId, contact_id: isId } as const;

/** Returns the sentence that explains why the columns cannot be imported, or null. */
export const findContactColumnProblem = (columns: FileColumns<ContactColumn>): string | null =>
  findProblemOfColumns(columns, contactColumns, [
    [['account_id', 'account'], 'account'],
    [['name'], 'name of the contact'],
  ]);

/** A row of the file: the text of its cells, for the columns that the file has. */
export type ContactRow = { readonly line: number } & {
  readonly [Column in ContactColumn]?: string | undefined;
};

/** Returns the cells of a record by column. */
export const toContactRow = (
  record: readonly string[],
  mapping: ColumnMapping<ContactColumn>,
  line: number,
): ContactRow | BrokenRow => toCells(record, mapping, line);

const cell = z.optional(z.string());
const rowShape = Object.fromEntries(contactColumns.map((column) => [column, cell])) as Readonly<
  Record<ContactColumn, typeof cell>
>;

/** Limits of one request. */
export const contactBatchLimits = { rows: 500, bytes: 1_000_000 } as const;

export const contactImportSchema = z.object({
  /** True: only reports what would happen. */
  dry_run: z.boolean(),
  /** Chosen by the client, the same for all requests of a file, so that they are one entry of the activity. */
  import_id: z.optional(z.uuid()),
  rows: z
    .array(z.object({ line: z.int().check(z.positive()), ...rowShape }))
    .check(z.maxLength(contactBatchLimits.rows, `Send at most ${contactBatchLimits.rows} rows`)),
});

/** The values of a valid row. A column that the file does not have is undefined. */
export interface ContactValues {
  readonly line: number;
  readonly accountId: string | null;
  readonly account: string | null;
  readonly contactId: string | null;
  readonly fields: Partial<ContactFields> & { readonly name: string };
}

const fieldsSchema = z.extend(z.partial(contactFieldsSchema), { name: contactFieldsSchema.shape.name });

const loneSurrogate = /\p{Surrogate}/u;

/** Checks the cells of a row. Returns its values, or the reason for a rejection. */
export function parseContactRow(row: ContactRow): ContactValues | { readonly reason: string } {
  const cells: Partial<Record<ContactColumn, string>> = {};
  // Only a file with IDs comes from an export. In any other file an apostrophe belongs to the text, except before a number.
  const isExported = row.account_id !== undefined || row.contact_id !== undefined;
  for (const column of contactColumns) {
    const text = row[column];
    if (text === undefined) continue;
    if (loneSurrogate.test(text)) return { reason: 'The row has invalid characters' };
    const guarded = isExported || column === 'phone';
    const line = joinLines(text, column === 'note' ? ', ' : ' ');
    cells[column] = guarded ? removeFormulaGuards(line) : line;
  }
  const { account_id: accountId = '', account = '', contact_id: contactId = '', ...texts } = cells;
  const ids = [accountId, contactId].map((id) => id.toLowerCase());
  if (ids[0] !== '' && !isUuid(ids[0] ?? '')) return { reason: 'The account ID is not valid' };
  if (ids[1] !== '' && !isUuid(ids[1] ?? '')) return { reason: 'The contact ID is not valid' };
  if (accountId === '' && account === '') return { reason: 'The row names no account' };
  // Folding a text of any length, to compare it with the names of accounts, can take quadratic time.
  if (countCodePoints(account) > accountLimits.name) return { reason: 'No account has this name' };
  const { data, error } = fieldsSchema.safeParse({ name: '', ...texts });
  if (error) return { reason: error.issues.map(({ message }) => message).join('. ') };
  return {
    line: row.line,
    accountId: ids[0] || null,
    account: account === '' ? null : account,
    contactId: ids[1] || null,
    // The type of an optional field allows an explicit undefined, which safeParse does not return.
    fields: data as ContactValues['fields'],
  };
}
