/** The columns of a list of invitees, for the console and the command line. */
import type { ColumnMapping, ColumnNames } from './column-guess.ts';
import type { InviteeRow } from './invitation-list.ts';
import { findExtraCells } from './list-file.ts';

export type InviteeColumn = 'email' | 'fullName' | 'firstName' | 'lastName' | 'note' | 'expires';

/** Names that a header may have, for `guessColumns`. */
export const inviteeColumnNames: Readonly<Record<InviteeColumn, ColumnNames>> = {
  email: { names: ['email', 'emailaddress', 'mail', 'emailadresse', 'courriel', 'correo', 'sahkoposti'] },
  firstName: { names: ['firstname', 'givenname', 'forename', 'vorname', 'prenom', 'fornavn', 'etunimi'] },
  lastName: {
    names: [
      'lastname',
      'surname',
      'familyname',
      'nachname',
      'nomdefamille',
      'apellidos',
      'etternavn',
      'sukunimi',
    ],
  },
  fullName: { names: ['fullname', 'name', 'displayname', 'person', 'nom', 'nombre', 'nome', 'navn', 'nimi'] },
  note: { names: ['note', 'message', 'comment'] },
  expires: { names: ['expires', 'expiry', 'expiresat', 'until'] },
};

/** Names of the columns in sentences. */
export const inviteeColumnLabels: Readonly<Record<InviteeColumn, string>> = {
  email: 'Email',
  fullName: 'Full Name',
  firstName: 'First Name',
  lastName: 'Last Name',
  note: 'Note',
  expires: 'Expiry',
};

/** Returns the sentence that explains why the columns cannot be used, or null. */
export function findInviteeColumnProblem(mapping: ColumnMapping<InviteeColumn>): string | null {
  const label = (column: InviteeColumn): string => inviteeColumnLabels[column].toLowerCase();
  const repeated =
    mapping.find((column, index) => column !== null && mapping.indexOf(column) !== index) ?? null;
  if (repeated !== null) return `Several columns are chosen for ${label(repeated)}. Choose one.`;
  if (!mapping.includes('email')) return `Choose the column with the ${label('email')}.`;
  const hasName = (['fullName', 'firstName', 'lastName'] as const).some((column) => mapping.includes(column));
  return hasName ? null : 'Choose the column with the full name, or those with the first and the last name.';
}

/** Returns the row of a record. Cells that are missing at its end are empty. */
export function toInviteeRow(
  record: readonly string[],
  mapping: ColumnMapping<InviteeColumn>,
  line: number,
): InviteeRow {
  const cell = (column: InviteeColumn): string | undefined =>
    mapping.includes(column) ? (record[mapping.indexOf(column)] ?? '') : undefined;
  const names = [cell('firstName'), cell('lastName')].filter((name) => name !== undefined && name !== '');
  return {
    line,
    email: cell('email') ?? '',
    fullName: cell('fullName') || names.join(' '),
    note: cell('note'),
    expires: cell('expires'),
    problem: findExtraCells(record, mapping.length),
  };
}
