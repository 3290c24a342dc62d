/** The input of the function `export-accounts`: filter and order of the account list. */
import * as z from 'zod/mini';
import { accountTypes } from './account-types.ts';
import { accountSorts, sortDirections, statusFilters } from './account-view.ts';

export const accountExportSchema = z.object({
  /** Text in the name or the slug. */
  search: z.optional(z.string().check(z.maxLength(200))),
  type: z.optional(z.enum(accountTypes)),
  status: z.optional(z.enum(statusFilters)),
  sort: z._default(z.enum(accountSorts), 'created'),
  direction: z._default(z.enum(sortDirections), 'desc'),
});

export type AccountExport = z.output<typeof accountExportSchema>;
