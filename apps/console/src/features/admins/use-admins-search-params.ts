/** The URL state of the Admins screen. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type AdminsSearchParams, validateAdminsSearch } from './admins-search-params.ts';

interface ChangeOptions {
  /** Replaces the current history entry, for example while typing. */
  replace?: boolean;
  /** Skips the confirmation for unsaved input. */
  confirmed?: boolean;
}

export interface AdminsUrlState {
  readonly search: AdminsSearchParams;
  /** Sets the given params; undefined removes a param. */
  readonly change: (next: AdminsSearchParams, options?: ChangeOptions) => void;
}

export const useAdminsSearchParams = (): AdminsUrlState => {
  const params = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => validateAdminsSearch({ ...params }), [params]);
  const change = useCallback<AdminsUrlState['change']>(
    (next, options = {}) => {
      void navigate({
        to: '/admin/platform-admins',
        search: (previous: object) => validateAdminsSearch({ ...previous, ...next }),
        replace: options.replace ?? false,
        ignoreBlocker: options.confirmed ?? false,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return { search, change };
};
