/** Queries of the handover page and its printed sheet. */
import type { HandoverSheetResponse } from '@lanternrock/contract/handover';
import type { AccountRow } from '@lanternrock/contract/rows';
import { queryOptions } from '@tanstack/react-query';
import { serverNow } from '../../api/server-clock.ts';
import { data } from '../../api/data.ts';
import { shapeError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { periodStart } from './handover-period.ts';

/** @param period the param of the URL; undefined for the last visit */
export const handoverQuery = (period: string | undefined) =>
  queryOptions({
    queryKey: ['handover', period ?? 'last'],
    queryFn: async () => {
      const since = periodStart(period, serverNow());
      const changes = await callFunction('handover', since === undefined ? {} : { since });
      const sections = [changes.accounts, changes.invitations, changes.settings];
      if (sections.every((section) => Array.isArray(section?.items))) return changes;
      throw shapeError();
    },
  });

/** More would be hundreds of pages. */
const maxSheetAccounts = 20_000;
/** The default of MAX_ROWS. A service with a lower limit returns shorter pages, all but the last of the same length. */
const pageSize = 1000;

interface Sheet extends HandoverSheetResponse {
  readonly accounts: readonly AccountRow[];
  readonly truncated: boolean;
  /** RFC 3339. */
  readonly at: string;
}

const readAccounts = async (signal: AbortSignal): Promise<readonly AccountRow[]> => {
  // By ID, because a change during the read can move a row to another page.
  const byId = new Map<string, AccountRow>();
  let shortest = 1;
  for (let from = 0; from <= maxSheetAccounts;) {
    const call = data.from('accounts').select('*').order('name').order('id');
    const page = call.range(from, from + pageSize - 1).abortSignal(signal);
    const { data: rows } = await page.throwOnError();
    for (const row of rows) byId.set(row.id, row);
    if (rows.length < shortest) break;
    shortest = rows.length;
    from += rows.length;
  }
  return [...byId.values()];
};

export const sheetQuery = queryOptions({
  queryKey: ['handover-sheet'],
  queryFn: async ({ signal }): Promise<Sheet> => {
    const [{ administrators, sender }, accounts] = await Promise.all([
      callFunction('handover-sheet', {}),
      readAccounts(signal),
    ]);
    if (!Array.isArray(administrators)) throw shapeError();
    return {
      administrators,
      sender,
      accounts: accounts.slice(0, maxSheetAccounts),
      truncated: accounts.length > maxSheetAccounts,
      at: serverNow().toISOString(),
    };
  },
  // A sheet for paper: as of one moment.
  staleTime: 0,
});
