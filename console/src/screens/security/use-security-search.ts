/** The address of the security page as state. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type Addition, readSecuritySearch } from './security-search.ts';

interface SecurityAddress {
  readonly adding: Addition | undefined;
  /** Opens the dialog, or closes any with undefined. */
  readonly add: (addition: Addition | undefined) => void;
}

export const useSecuritySearch = (): SecurityAddress => {
  const { add: adding } = readSecuritySearch({ ...useSearch({ strict: false }) });
  const navigate = useNavigate();
  const add = useCallback(
    (addition: Addition | undefined) => {
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
