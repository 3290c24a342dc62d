/** State of the checklist of a new instance: which steps are done, and whether the user has dismissed it. */
import { setupSteps, type SetupStepsResponse } from '@lanternrock/contract/setup-steps';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { shapeError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { useIsAdministrator, useUser } from '../../session/use-session.tsx';
import type { AccountsList } from './use-accounts-list.ts';

/** Milliseconds between the shown accounts and the query of the steps: the requests of the screen have finished by then. */
const idleDelayMs = 1000;

const setupStepsQuery = queryOptions({
  queryKey: ['setup-steps'],
  retry: false,
  // Most steps are done on other screens.
  staleTime: 0,
  queryFn: async ({ signal }): Promise<SetupStepsResponse> => {
    const response = await callFunction('setup-steps', {}, { signal });
    if (Array.isArray(response.done)) return response;
    throw shapeError();
  },
});

export interface SetupChecklist {
  /** Undefined if there is nothing to show. */
  readonly steps: SetupStepsResponse | undefined;
  readonly expanded: boolean;
  readonly toggle: () => void;
  /** Hides the checklist from this user in this browser. */
  readonly dismiss: () => void;
}

/**
 * Reads the steps for an administrator of the Lanternrock service. An empty list shows the checklist; above accounts it is
 * collapsed, because it would move them after they are shown.
 */
export const useSetupChecklist = (
  list: Pick<AccountsList, 'loading' | 'error' | 'empty'>,
): SetupChecklist => {
  const userId = useUser()?.id ?? '';
  const [isDismissed, setIsDismissed] = useState(() => readDismissal(userId));
  const isAdministrator = useIsAdministrator().state === 'yes';
  const isConcerned =
    isAdministrator && !isDismissed && hasFeature('extensions') && !hasFeature('demonstration');
  // Below an empty list nothing else loads, and a late checklist would move what the user reads.
  const isIdle = useIsIdle(!list.loading && list.error === null, list.empty ? 0 : idleDelayMs);
  const { data } = useQuery({ ...setupStepsQuery, ...enabledIf(isConcerned && isIdle) });
  const isOld = data?.is_new === false;
  useEffect(() => {
    // An instance does not become new again, so this browser need not ask at the next visit.
    if (isOld) storeDismissal(userId);
  }, [isOld, userId]);
  const steps = data && withFirstAccount(data, !list.loading && list.error === null && !list.empty);
  const isShown = isConcerned && steps?.is_new === true && steps.done.length < setupSteps.length;
  const [expanded, setExpanded] = useState<boolean>();
  // The first account does not collapse it.
  if (isShown && isIdle && expanded === undefined) setExpanded(list.empty);
  return {
    steps: isShown ? steps : undefined,
    expanded: expanded ?? list.empty,
    toggle: () => setExpanded(!(expanded ?? list.empty)),
    dismiss: () => {
      storeDismissal(userId);
      setIsDismissed(true);
    },
  };
};

/** Adds the step that is done on this screen. */
const withFirstAccount = (steps: SetupStepsResponse, hasAccounts: boolean): SetupStepsResponse => {
  const { done } = steps;
  if (!hasAccounts || done.includes('first_account')) return steps;
  return { ...steps, done: [...done, 'first_account'] };
};

/** Returns true `delayMs` after `ready`. */
const useIsIdle = (ready: boolean, delayMs: number): boolean => {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    if (!ready) return undefined;
    const timer = setTimeout(() => setIsIdle(true), delayMs);
    return () => clearTimeout(timer);
  }, [ready, delayMs]);
  return isIdle;
};

const storageKey = (userId: string): string => `setup_dismissed:${userId}`;

const readDismissal = (userId: string): boolean => {
  try {
    return localStorage.getItem(storageKey(userId)) !== null;
  } catch {
    return false;
  }
};

const storeDismissal = (userId: string): void => {
  try {
    localStorage.setItem(storageKey(userId), 'true');
  } catch {
    // Local storage is blocked, so the dismissal ends with the page.
  }
};
