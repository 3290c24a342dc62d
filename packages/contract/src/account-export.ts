/** The input of the functions `export-accounts` and `export-contacts`: filter and order of the account list. */
import * as z from 'zod/mini';
import { accountTypes } from './account-types.ts';
import { accountSorts, sortDirections, statusFilters } from './account-view.ts';

/** The filter of the account list. */
export const accountFilterFields = {
  /** Words in name and slug, words in contacts, or a part of a phone number (`account-search.ts`). */
  search: z.optional(z.string().check(z.maxLength(200))),
  /** True for words in name, slug, city, state and contacts together. */
  wide: z.optional(z.boolean()),
  type: z.optional(z.enum(accountTypes)),
  status: z.optional(z.enum(statusFilters)),
};

export const accountExportSchema = z.object({
  ...accountFilterFields,
  sort: z._default(z.enum(accountSorts), 'created'),
  direction: z._default(z.enum(sortDirections), 'desc'),
});

export type AccountExport = z.output<typeof accountExportSchema>;

export type AccountListFilter = Pick<AccountExport, 'search' | 'wide' | 'type' | 'status'>;
