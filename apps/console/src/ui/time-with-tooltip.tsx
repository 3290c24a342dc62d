/** A point in time in a details panel: the full local and UTC time on demand, and to copy. */
import { useState } from 'react';
import { cx } from './cx.ts';
import { formatDate, formatFullTime, formatIso, formatRelativeTime } from './format-time.ts';
import { Tooltip } from './tooltip.tsx';
import { useCopyToClipboard } from './use-copy-to-clipboard.ts';

interface DetailedTimeProps {
  /** RFC 3339. */
  value: string;
  /** Adds 'in 3 days' or the like. */
  relative?: boolean;
  className?: string;
}

/** With the full time on hover and on focus; pressing it copies the time in ISO 8601. */
export function TimeWithTooltip({
  value,
  relative = false,
  className,
}: DetailedTimeProps): React.JSX.Element {
  const { copied, copy } = useCopyToClipboard();
  // Words such as 'in 3 days' may be a moment old, but must not change while they are read.
  const [now] = useState(() => new Date());
  const words = copied ? 'Copied!' : `${formatFullTime(value)}\nPress to copy`;
  return (
    <Tooltip content={<span className="whitespace-pre-line">{words}</span>} staysOnPress>
      <button
        type="button"
        onClick={() => void copy(formatIso(value))}
        className={cx(
          'min-h-6 cursor-pointer rounded-sm text-left underline decoration-input decoration-dotted underline-offset-4',
          className,
        )}
      >
        <time dateTime={value}>{formatDate(value)}</time>
        {relative && <span className="text-muted"> ({formatRelativeTime(value, now)})</span>}
      </button>
    </Tooltip>
  );
}
