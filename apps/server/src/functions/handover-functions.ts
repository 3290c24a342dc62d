/** Functions of the handover page and its printed sheet. */
import { confirmHandoverSchema, handoverSchema, sheetAccountsSchema } from '@lanternrock/contract/handover';
import type { Principal } from '@lanternrock/auth';
import { confirmVisit, readVisit } from '../handover/handover-visits.ts';
import { readHandover, readSheet } from '../handover/handover.ts';
import { readSheetPage, toSheetResponse } from '../handover/sheet-accounts.ts';
import { defineFunction } from './define-function.ts';
import { functionLimits } from './function-limits.ts';

/** Reads only: the time of the last visit moves with `confirm-handover`. */
export const handover = defineFunction({
  name: 'handover',
  input: handoverSchema,
  noStore: true,
  work: async ({ input, transaction, principal, now }) =>
    transaction(async (tx) => {
      const until = await now(tx);
      const visit = await readVisit(tx, requireUserId(principal), until);
      const since = input.since === undefined ? visit.since : new Date(input.since);
      return {
        since: since.toISOString(),
        until: until.toISOString(),
        last_visit: visit.lastVisit?.toISOString() ?? null,
        ...(await readHandover(tx, { since, until })),
      };
    }),
});

export const confirmHandover = defineFunction({
  name: 'confirm-handover',
  limit: functionLimits.handover,
  input: confirmHandoverSchema,
  work: async ({ input, transaction, principal, now }) => {
    const userId = requireUserId(principal);
    await transaction(async (tx) =>
      confirmVisit(tx, { userId, until: new Date(input.until), now: await now(tx) }),
    );
    return { success: true };
  },
});

export const handoverSheet = defineFunction({
  name: 'handover-sheet',
  input: null,
  noStore: true,
  work: ({ transaction }) => transaction(readSheet),
});

/** The accounts of a filter with their contacts, by name. */
export const sheetAccounts = defineFunction({
  name: 'sheet-accounts',
  input: sheetAccountsSchema,
  noStore: true,
  work: async ({ input, transaction }) =>
    toSheetResponse(await transaction((tx) => readSheetPage(tx, input))),
});

/** An authorized caller is a user: a secret key has no role of an administrator. */
function requireUserId({ userId }: Principal): string {
  if (userId === null) throw new Error('An administrator has a user ID');
  return userId;
}
