/** The input of the functions `export-accounts` and `export-contacts`: filter and order of the account list. */
import * as z from 'zod/mini';
import { accountTypes } from './account-types.ts';
import { accountSorts, sortDirections, statusFilters } from './account-view.ts';

/** The filter of the account list. */
export const accountFilterFields = {
  /** Text in the name, the slug or the contacts. */
  search: z.optional(z.string().check(z.maxLength(200))),
  type: z.optional(z.enum(accountTypes)),
  status: z.optional(z.enum(statusFilters)),
};

export const accountExportSchema = z.object({
  ...accountFilterFields,
  sort: z._default(z.enum(accountSorts), 'created'),
  direction: z._default(z.enum(sortDirections), 'desc'),
});

export type AccountExport = z.output<typeof accountExportSchema>;

export type AccountListFilter = Pick<AccountExport, 'search' | 'type' | 'status'>;
