/** A point in time: the local date, the full local and UTC time on hover. */
import { formatDate, formatFullTime } from './format-time.ts';

interface TimeProps {
  /** RFC 3339. */
  value: string;
  className?: string;
}

/** For rows of a list: no focus stop of its own; the details panel has the one with the tooltip. */
export function Time({ value, className }: TimeProps): React.JSX.Element {
  return (
    <time dateTime={value} title={formatFullTime(value)} className={className}>
      {formatDate(value)}
    </time>
  );
}
