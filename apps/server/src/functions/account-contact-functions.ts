/** Functions about contacts: those of an account, their import and export, and the phone number of an administrator. */
import type { AccountExport } from '@lanternrock/contract/account-export';
import { accountExportSchema } from '@lanternrock/contract/account-export';
import {
  accountContactsSchema,
  ownPhoneSchema,
  setAccountContactsSchema,
} from '@lanternrock/contract/account-contacts';
import { contactBatchLimits, contactImportSchema } from '@lanternrock/contract/contact-import';
import { readAccountContacts, setAccountContacts } from '../accounts/account-contacts.ts';
import { contactCsv } from '../accounts/contact-csv.ts';
import { importContacts } from '../accounts/import-contacts.ts';
import { readOwnPhone, setOwnPhone } from '../administrators/own-phone.ts';
import { recordContactExport } from '../audit-log.ts';
import { defineDownload } from './define-download.ts';
import { defineFunction, type FunctionCall } from './define-function.ts';
import { functionLimits } from './function-limits.ts';

export const accountContacts = defineFunction({
  name: 'account-contacts',
  input: accountContactsSchema,
  noStore: true,
  work: ({ input, transaction }) => transaction((tx) => readAccountContacts(tx, input.account_id)),
});

/** Replaces the list, so that adding, moving and removing are one request each. */
export const setAccountContactsFunction = defineFunction({
  name: 'set-account-contacts',
  limit: functionLimits.accounts,
  input: setAccountContactsSchema,
  // 20 contacts with the longest texts, in characters of four bytes.
  maxBodyBytes: 131_072,
  noStore: true,
  work: ({ input: { account_id: accountId, version, contacts }, config, transaction }) =>
    transaction((tx) =>
      setAccountContacts(tx, { accountId, version, contacts, defaultCountry: config.DEFAULT_COUNTRY }),
    ),
});

/** Adds and changes contacts, or returns what it would do. The same rows twice change nothing. */
export const importContactsFunction = defineFunction({
  name: 'import-contacts',
  limit: functionLimits.imports,
  input: contactImportSchema,
  // The names of the columns and the quotation marks take less space than the cells.
  maxBodyBytes: 2 * contactBatchLimits.bytes,
  noStore: true,
  work: async ({ input, config, transaction }) => ({
    results: await transaction((tx) =>
      importContacts(tx, input.rows, {
        dryRun: input.dry_run,
        importId: input.import_id,
        defaultCountry: config.DEFAULT_COUNTRY,
      }),
    ),
  }),
});

/** Sends the contacts of the accounts of a filter, in the order of the accounts, as CSV. */
export const exportContacts = defineDownload({
  name: 'export-contacts',
  limit: functionLimits.exports,
  input: accountExportSchema,
  file: (call) => ({ name: 'contacts.csv', type: 'text/csv', chunks: exportChunks(call) }),
});

/** Each export is an entry of the activity. */
async function* exportChunks({
  input,
  transaction,
}: FunctionCall<AccountExport>): AsyncGenerator<string, void, undefined> {
  await transaction(recordContactExport);
  yield* contactCsv(input, transaction);
}

export const ownPhone = defineFunction({
  name: 'own-phone',
  input: null,
  noStore: true,
  work: ({ transaction }) => transaction(readOwnPhone),
});

/** The number is not a sign-in method, so it needs no fresh session. */
export const setOwnPhoneFunction = defineFunction({
  name: 'set-own-phone',
  limit: functionLimits.accounts,
  input: ownPhoneSchema,
  noStore: true,
  work: ({ input, config, transaction }) =>
    transaction((tx) => setOwnPhone(tx, input.phone, config.DEFAULT_COUNTRY)),
});
