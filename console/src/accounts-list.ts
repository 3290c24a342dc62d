/** The list of accounts as one read, shared by its screen and the command palette. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { queryOptions } from '@tanstack/react-query';
import { BackendError, unreadableMessage } from './backend-error.ts';
import { backend, unwrapCounted } from './backend.ts';

/** Everything about accounts; invalidating it reloads the list. */
export const accountsKey = ['accounts'] as const;

/** Enough to show a row; anything else is not an account, whatever the status said. */
export const checkedAccounts = (rows: readonly AccountRow[]): readonly AccountRow[] => {
  const readable = rows.every((row) => typeof row?.id === 'string' && typeof row.name === 'string');
  if (readable) return rows;
  throw new BackendError({ kind: 'shape', message: unreadableMessage });
};

export interface CountedAccounts {
  readonly rows: readonly AccountRow[];
  /** How many there are; more than `rows` when the service sends only a part. */
  readonly total: number;
}

export const countedAccounts = (answer: { rows: AccountRow[]; count: number | null }): CountedAccounts => ({
  rows: checkedAccounts(answer.rows),
  total: Math.max(answer.count ?? 0, answer.rows.length),
});

/** The list of specification section 7: all accounts, newest first, as far as one answer holds. */
export const accountsQuery = queryOptions({
  queryKey: [...accountsKey, 'list'],
  queryFn: async ({ signal }) =>
    countedAccounts(
      await unwrapCounted(
        backend
          .from('accounts')
          .select('*', { count: 'exact' })
          .order('created_at', { ascending: false })
          .abortSignal(signal),
      ),
    ),
});
