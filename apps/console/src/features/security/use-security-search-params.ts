/** The address of the security page as state. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type AddDialog, validateSecuritySearch } from './security-search-params.ts';

interface SecurityAddress {
  readonly adding: AddDialog | undefined;
  /** Opens the dialog, or closes any with undefined. */
  readonly add: (addition: AddDialog | undefined) => void;
}

export const useSecuritySearchParams = (): SecurityAddress => {
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
