/** Shows a timestamp in local time, and the full local and UTC time on hover. */
import { formatDate, formatExactTime, formatFullTime } from './format-time.ts';

interface TimeProps {
  /** RFC 3339. */
  value: string;
  /** Shows the date and the time to the second. Without it, only the date. */
  exact?: boolean;
  className?: string;
}

/** For list rows: not focusable. Panels use `TimeWithTooltip`. */
export function Time({ value, exact = false, className }: TimeProps): React.JSX.Element {
  return (
    <time dateTime={value} title={formatFullTime(value)} className={className}>
      {exact ? formatExactTime(value) : formatDate(value)}
    </time>
  );
}
