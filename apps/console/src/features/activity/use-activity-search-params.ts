/** The URL state of the activity screen. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type ActivitySearchParams, validateActivitySearch } from './activity-search-params.ts';

interface ActivityUrlState {
  readonly search: ActivitySearchParams;
  /** Sets the given params; undefined removes a param. */
  readonly change: (next: ActivitySearchParams) => void;
}

/** The route does not validate its params: the rules are not part of the initial bundle. */
export const useActivitySearchParams = (): ActivityUrlState => {
  const params = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => validateActivitySearch({ ...params }), [params]);
  const change = useCallback<ActivityUrlState['change']>(
    (next) => {
      void navigate({
        to: '/admin/activity',
        search: (previous: object) => validateActivitySearch({ ...previous, ...next }),
        resetScroll: false,
      });
    },
    [navigate],
  );
  return { search, change };
};
