/** The columns of an import of accounts, and the names that a header may have for them. */
import { accountFields, type AccountField } from './accounts.ts';
import type { ColumnNames } from './column-guess.ts';
import { type FileColumns, findProblemOfColumns } from './column-problem.ts';
import { isUuid } from './uuid.ts';

/** The columns of an import. Other columns of a file are ignored. */
export type ImportColumn = 'id' | 'slug' | AccountField;
export const importColumns: readonly ImportColumn[] = ['id', 'slug', ...accountFields];

const splitNames = (names: string): readonly string[] => names.split(' ');

/** Names that a header may have, for `guessColumns`. */
export const importColumnNames: Readonly<Record<ImportColumn, ColumnNames>> = {
  id: { names: splitNames('accountid uuid id') },
  slug: { names: splitNames('slug accountslug') },
  name: {
    names: splitNames(
      'name accountname account customer customername organisation organization company bezeichnung kundenname kunde firmenname firma vereinsname organisationsname kontoname raisonsociale denomination nomclient nomduclient nomentreprise entreprise nomorganisation nomdelorganisation ragionesociale denominazione nomecliente nomeazienda azienda nomeorganizzazione organizzazione nom nombre nome naam navn namn nimi nazwa title',
    ),
    weakNames: splitNames(
      'konto client cliente agency unit team group brigade department station club verein association associazione societe societa ente einheit wache ortsgruppe bereitschaft dienststelle caserne caserma squadra resort harbor harbour port marina beach park hospital facility einrichtung site',
    ),
  },
  account_type: {
    names: splitNames('accounttype type kind typ art category kategorie tipo categoria categorie'),
  },
  address: {
    names: splitNames(
      'address streetaddress street address1 addressline1 adresse strasse anschrift direccion indirizzo adres gatuadress katuosoite rue',
    ),
    weakNames: ['via'],
  },
  city: {
    names: splitNames(
      'city town place locality municipality ort stadt gemeinde ville commune ciudad citta comune plaats kommune kommun kunta paikkakunta',
    ),
  },
  state: {
    names: splitNames(
      'state province stateprovince region canton county bundesland kanton departement provincia regione fylke lan maakunta',
    ),
  },
  zip_code: {
    names: splitNames('zipcode zip postalcode postcode plz postleitzahl cap codepostal postnummer'),
  },
};

export const slugForm = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** A column of numbers with the header `ID` has no IDs of accounts. */
export const importColumnRules = {
  id: (cell: string) => isUuid(cell.toLowerCase()),
  slug: (cell: string) => slugForm.test(cell),
} as const;

/** Returns the sentence that explains why the columns cannot be imported, or null. */
export const findColumnProblem = (columns: FileColumns<ImportColumn>): string | null =>
  findProblemOfColumns(columns, importColumns, [[['name'], 'account name']]);
