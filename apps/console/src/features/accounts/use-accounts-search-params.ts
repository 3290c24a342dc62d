/** The address of the accounts screen as state: what it says, and how to change it. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type AccountsSearchParams, validateAccountsSearch } from './accounts-search-params.ts';

interface Change {
  /** No entry of its own in the history: for typing and for closing what Back would close. */
  replace?: boolean;
  /** Passes the question about typed input. */
  agreed?: boolean;
}

export interface AccountsUrlState {
  readonly search: AccountsSearchParams;
  /** Sets the named params; undefined removes one. */
  readonly change: (
    next: { [Name in keyof AccountsSearchParams]?: AccountsSearchParams[Name] | undefined },
    how?: Change,
  ) => void;
}

export const useAccountsSearchParams = (): AccountsUrlState => {
  const params = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => validateAccountsSearch({ ...params }), [params]);
  const change = useCallback<AccountsUrlState['change']>(
    (next, how = {}) => {
      void navigate({
        to: '/admin/accounts',
        search: (previous: object) => validateAccountsSearch({ ...previous, ...next }),
        replace: how.replace ?? false,
        ignoreBlocker: how.agreed ?? false,
        // Filters, panels and dialogs belong to one page: nothing scrolls.
        resetScroll: false,
      });
    },
    [navigate],
  );
  return { search, change };
};

const typingPause = 250;

/**
 * The text of a search box: at once on screen, in the address after a pause. Back and links change
 * the address from outside, and the box follows.
 */
export const useDebouncedSearchText = (
  inAddress: string,
  settle: (text: string) => void,
): [string, (text: string) => void] => {
  const [text, setText] = useState(inAddress);
  const known = useRef(inAddress);
  const latest = useRef(settle);
  useEffect(() => {
    latest.current = settle;
  });
  useEffect(() => {
    if (inAddress === known.current) return;
    known.current = inAddress;
    setText(inAddress);
  }, [inAddress]);
  useEffect(() => {
    if (text === known.current) return undefined;
    const timer = setTimeout(() => {
      known.current = text;
      latest.current(text);
    }, typingPause);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
};
