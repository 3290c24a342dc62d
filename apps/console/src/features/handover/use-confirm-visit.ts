/**
 * Confirms a response when it was visible for some seconds: the next visit starts at its end. A page in a background tab, or
 * left immediately, confirms nothing, so its changes are shown again at the next visit.
 */
import type { HandoverResponse } from '@lanternrock/contract/handover';
import { useEffect } from 'react';
import { callFunction } from '../../api/functions.ts';

const readingMs = 5000;

/** @param period the param of the URL; undefined for the last visit */
export const useConfirmVisit = (changes: HandoverResponse | undefined, period: string | undefined): void => {
  // A shorter period leaves out changes since the last visit, or those that the first visit shows.
  const isComplete =
    changes !== undefined &&
    (period === undefined || (changes.last_visit !== null && changes.since <= changes.last_visit));
  const until = isComplete ? changes.until : undefined;
  useEffect(() => {
    if (until === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restart = (): void => {
      clearTimeout(timer);
      if (document.visibilityState !== 'visible') return;
      timer = setTimeout(() => {
        // After a failure, the next visit shows the changes again.
        callFunction('confirm-handover', { until }).catch(() => undefined);
      }, readingMs);
    };
    restart();
    document.addEventListener('visibilitychange', restart);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', restart);
    };
  }, [until]);
};
