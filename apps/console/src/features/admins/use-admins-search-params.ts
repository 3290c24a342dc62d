/** The address of the Admins screen as state. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type AdminsSearchParams, validateAdminsSearch } from './admins-search-params.ts';

export interface AdminsUrlState {
  readonly search: AdminsSearchParams;
  /** @param agreed passes the question about typed input. */
  readonly change: (
    next: { [Name in keyof AdminsSearchParams]?: AdminsSearchParams[Name] | undefined },
    agreed?: boolean,
  ) => void;
}

export const useAdminsSearchParams = (): AdminsUrlState => {
  const params = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => validateAdminsSearch({ ...params }), [params]);
  const change = useCallback<AdminsUrlState['change']>(
    (next, agreed = false) => {
      void navigate({
        to: '/admin/platform-admins',
        search: (previous: object) => validateAdminsSearch({ ...previous, ...next }),
        ignoreBlocker: agreed,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return { search, change };
};
