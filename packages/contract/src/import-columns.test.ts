import { expect, it } from 'vitest';
import { guessColumns } from './column-guess.ts';
import { contactColumnNames, contactColumnRules, hasContactColumns } from './contact-import.ts';
import { importColumnNames, importColumnRules } from './import-columns.ts';

const guessAccounts = (header: string) =>
  guessColumns(header.split(';'), importColumnNames, { records: [], accepts: importColumnRules });
const guessContacts = (header: string) =>
  guessColumns(header.split(';'), contactColumnNames, { records: [], accepts: contactColumnRules });

it.each([
  ['Kundenname;Art;Straße;Ort;Bundesland;PLZ'],
  ['Kunde;Typ;Adresse;Stadt;Kanton;Postleitzahl'],
  ['Name der Organisation;Kategorie;Anschrift;Gemeinde;Kanton;PLZ'],
  ['Verein;Art;Strasse;Ort;Region;PLZ'],
  ['Firma;Art;Strasse;Ort;Region;PLZ'],
  ['Nom du client;Type;Rue;Commune;Canton;Code postal'],
  ['Raison sociale;Type;Adresse;Ville;Département;Code postal'],
  ["Nom de l'organisation;Type;Adresse;Ville;Région;Code postal"],
  ['Ragione sociale;Tipo;Indirizzo;Comune;Provincia;CAP'],
  ['Nome cliente;Categoria;Via;Città;Regione;CAP'],
])('recognizes an account list with the header %s', (header) => {
  expect(guessAccounts(header)).toEqual(['name', 'account_type', 'address', 'city', 'state', 'zip_code']);
});

it('prefers the name of the organization to a number of it, and to a person', () => {
  expect(guessAccounts('Kundennummer;Kundenname;Ort')).toEqual([null, 'name', 'city']);
  expect(guessAccounts('Client;Ville')).toEqual(['name', 'city']);
});

it.each([
  ['Kundenname;Ansprechpartner;Funktion;Telefon;E-Mail;Bemerkung'],
  ['Account;Contact name;Role;Phone;Email;Note'],
  ['Verein;Name;Rolle;Handy;E-Mail-Adresse;Notiz'],
  ['Raison sociale;Nom du contact;Fonction;Téléphone;Courriel;Remarque'],
  ['Ragione sociale;Referente;Ruolo;Telefono;Email;Nota'],
])('recognizes a contact list with the header %s', (header) => {
  expect(guessContacts(header)).toEqual(['account', 'name', 'role', 'phone', 'email', 'note']);
});

it('takes the column of the contact for its name, and that of the account for the account', () => {
  expect(guessContacts('Name;Type;Phone;Contact name')).toEqual(['account', null, 'phone', 'name']);
  expect(guessContacts('Contact name;Last name;Phone')).toEqual(['name', null, 'phone']);
});

it.each([
  [['Phone', 'Contact name'], true],
  [['Telefonnummer'], true],
  [['Ansprechpartner E-Mail'], true],
  [['Mitglieder', 'Name 2'], false],
  [[], false],
])('finds columns of contacts in %j: %j', (header, found) => {
  expect(hasContactColumns(header)).toBe(found);
});
