/** Notes below the status of the rows: the progress of a resend, else the end of the role. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { administratorsQuery } from './administrator-queries.ts';
import { formatDateTime } from '../../ui/format-time.ts';
import { administratorText } from './administrator-text.ts';

/** @param resending notes of the resends, by invitation ID */
export const useRowNotes = (resending: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const { data } = useQuery(administratorsQuery);
  return useMemo(() => {
    const notes = new Map<string, string>();
    for (const { invitation_id: id, ends_at: end, status } of data ?? []) {
      if (id !== null && end !== null && status === 'active')
        notes.set(id, administratorText.until(formatDateTime(end)));
    }
    for (const [id, note] of resending) notes.set(id, note);
    return notes;
  }, [data, resending]);
};
