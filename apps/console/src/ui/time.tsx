/** Shows the local date of a timestamp, and the full local and UTC time on hover. */
import { formatDate, formatFullTime } from './format-time.ts';

interface TimeProps {
  /** RFC 3339. */
  value: string;
  className?: string;
}

/** For list rows: not focusable. Panels use `TimeWithTooltip`. */
export function Time({ value, className }: TimeProps): React.JSX.Element {
  return (
    <time dateTime={value} title={formatFullTime(value)} className={className}>
      {formatDate(value)}
    </time>
  );
}
