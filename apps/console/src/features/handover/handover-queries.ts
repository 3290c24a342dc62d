/** Requests of the handover page. */
import { queryOptions } from '@tanstack/react-query';
import { shapeError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { periodStart } from './handover-period.ts';

/** @param period the param of the URL; undefined for the last visit */
export const handoverQuery = (period: string | undefined) =>
  queryOptions({
    queryKey: ['handover', period ?? 'last'],
    queryFn: async () => {
      const since = periodStart(period, new Date());
      const changes = await callFunction('handover', since === undefined ? {} : { since });
      const sections = [changes.accounts, changes.invitations, changes.settings];
      if (sections.every((section) => Array.isArray(section?.items))) return changes;
      throw shapeError();
    },
  });

/** Records that a response was shown. The next visit starts at its end. */
export const confirmHandover = (until: string): Promise<unknown> =>
  callFunction('confirm-handover', { until });
