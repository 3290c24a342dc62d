/** The address of the Admins screen as state. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type AdminsSearch, readAdminsSearch } from './admins-search.ts';

export interface AdminsAddress {
  readonly search: AdminsSearch;
  /** @param agreed passes the question about typed input. */
  readonly change: (
    next: { [Name in keyof AdminsSearch]?: AdminsSearch[Name] | undefined },
    agreed?: boolean,
  ) => void;
}

export const useAdminsSearch = (): AdminsAddress => {
  const params = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => readAdminsSearch({ ...params }), [params]);
  const change = useCallback<AdminsAddress['change']>(
    (next, agreed = false) => {
      void navigate({
        to: '/admin/platform-admins',
        search: (previous: object) => readAdminsSearch({ ...previous, ...next }),
        ignoreBlocker: agreed,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return { search, change };
};
