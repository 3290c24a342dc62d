/** Shows a timestamp in a panel, with the full local and UTC time in a tooltip. */
import { cx } from './cx.ts';
import { formatPastTime, formatRelativeTime } from './format-relative-time.ts';
import { formatDate, formatFullTime, formatIso } from './format-time.ts';
import { Tooltip } from './tooltip.tsx';
import { useNow } from './relative-time.tsx';
import { useCopyToClipboard } from './use-copy-to-clipboard.ts';

interface TimeWithTooltipProps {
  /** RFC 3339. */
  value: string;
  /** Adds the relative time of something that has happened, or that is due, for example `in 3 days`. */
  relative?: 'past' | 'due';
  className?: string;
}

/** Shows the full time on hover and on focus. A click copies the time in ISO 8601 format. */
export function TimeWithTooltip({ value, relative, className }: TimeWithTooltipProps): React.JSX.Element {
  const { copied, copy } = useCopyToClipboard();
  const now = useNow();
  const tooltipText = copied ? 'Copied!' : `${formatFullTime(value)}\nPress to copy`;
  return (
    <Tooltip content={<span className="whitespace-pre-line">{tooltipText}</span>} keepOpenOnClick>
      <button
        type="button"
        onClick={() => void copy(formatIso(value))}
        className={cx(
          'min-h-6 cursor-pointer rounded-sm text-left underline decoration-input decoration-dotted underline-offset-4',
          className,
        )}
      >
        <time dateTime={value}>{formatDate(value)}</time>
        {relative !== undefined && (
          <span className="text-muted">
            {' '}
            ({relative === 'past' ? formatPastTime(value, now) : formatRelativeTime(value, now)})
          </span>
        )}
      </button>
    </Tooltip>
  );
}
