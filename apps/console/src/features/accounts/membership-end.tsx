/** The end date of a membership in a list. */
import type { AccountMember } from '@lanternrock/contract/account-members';
import { formatDateTime, formatFullTime } from '../../ui/format-time.ts';

/** Returns true if the end date has passed, also before the next response of the service says so. */
export const hasEnded = ({ status, ends_at: end }: AccountMember, now: Date): boolean =>
  status === 'ended' || (end !== null && new Date(end) <= now);

/** For list rows: not focusable. */
export function EndTime({ value }: { value: string }): React.JSX.Element {
  return (
    <time dateTime={value} title={formatFullTime(value)}>
      {formatDateTime(value)}
    </time>
  );
}
