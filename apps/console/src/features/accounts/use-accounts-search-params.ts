/** The URL state of the accounts screen. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type AccountsSearchParams, validateAccountsSearch } from './accounts-search-params.ts';

interface ChangeOptions {
  /** Replaces the current history entry, for example while typing. */
  replace?: boolean;
  /** Skips the confirmation for unsaved input. */
  confirmed?: boolean;
}

export interface AccountsUrlState {
  readonly search: AccountsSearchParams;
  /** Sets the given params; undefined removes a param. */
  readonly change: (next: AccountsSearchParams, options?: ChangeOptions) => void;
}

export const useAccountsSearchParams = (): AccountsUrlState => {
  const params = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => validateAccountsSearch({ ...params }), [params]);
  const change = useCallback<AccountsUrlState['change']>(
    (next, options = {}) => {
      void navigate({
        to: '/admin/accounts',
        search: (previous: object) => validateAccountsSearch({ ...previous, ...next }),
        replace: options.replace ?? false,
        ignoreBlocker: options.confirmed ?? false,
        // Filters, panels and dialogs do not change the scroll position.
        resetScroll: false,
      });
    },
    [navigate],
  );
  return { search, change };
};
