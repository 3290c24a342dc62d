/** Reads and changes the URL state of the security screen. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type AddDialog, validateSecuritySearch } from './security-search-params.ts';

interface SecuritySearchState {
  readonly adding: AddDialog | undefined;
  /** Opens the dialog. Undefined closes it. */
  readonly add: (addition: AddDialog | undefined) => void;
}

export const useSecuritySearchParams = (): SecuritySearchState => {
  const { add: adding } = validateSecuritySearch({ ...useSearch({ strict: false }) });
  const navigate = useNavigate();
  const add = useCallback(
    (addition: AddDialog | undefined) => {
      void navigate({
        to: '/admin/me/security',
        search: addition === undefined ? {} : { add: addition },
        resetScroll: false,
      });
    },
    [navigate],
  );
  return { adding, add };
};
