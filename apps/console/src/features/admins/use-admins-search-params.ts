/** The URL state of the Admins screen. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type AdminsSearchParams, validateAdminsSearch } from './admins-search-params.ts';

export interface AdminsUrlState {
  readonly search: AdminsSearchParams;
  /**
   * Sets the given params; undefined removes a param.
   *
   * @param confirmed skips the confirmation for unsaved input
   */
  readonly change: (next: AdminsSearchParams, confirmed?: boolean) => void;
}

export const useAdminsSearchParams = (): AdminsUrlState => {
  const params = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => validateAdminsSearch({ ...params }), [params]);
  const change = useCallback<AdminsUrlState['change']>(
    (next, confirmed = false) => {
      void navigate({
        to: '/admin/platform-admins',
        search: (previous: object) => validateAdminsSearch({ ...previous, ...next }),
        ignoreBlocker: confirmed,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return { search, change };
};
