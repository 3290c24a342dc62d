/** A point in time: the local date, the full local and UTC time on demand. */
import { useState } from 'react';
import { cx } from './cx.ts';
import { dateText, fullTimeText, isoText, relativeText } from './time-text.ts';
import { Tooltip } from './tooltip.tsx';
import { useCopy } from './use-copy.ts';

interface TimeProps {
  /** RFC 3339. */
  value: string;
  className?: string;
}

/** For rows of a list: no focus stop of its own; the details panel has the one with the tooltip. */
export function Time({ value, className }: TimeProps): React.JSX.Element {
  return (
    <time dateTime={value} title={fullTimeText(value)} className={className}>
      {dateText(value)}
    </time>
  );
}

interface DetailedTimeProps extends TimeProps {
  /** Adds 'in 3 days' or the like. */
  relative?: boolean;
}

/** With the full time on hover and on focus; pressing it copies the time in ISO 8601. */
export function DetailedTime({ value, relative = false, className }: DetailedTimeProps): React.JSX.Element {
  const { copied, copy } = useCopy();
  // Words such as 'in 3 days' may be a moment old, but must not change while they are read.
  const [now] = useState(() => new Date());
  const words = copied ? 'Copied!' : `${fullTimeText(value)}\nPress to copy`;
  return (
    <Tooltip content={<span className="whitespace-pre-line">{words}</span>} staysOnPress>
      <button
        type="button"
        onClick={() => void copy(isoText(value))}
        className={cx(
          'min-h-6 cursor-pointer rounded-sm text-left underline decoration-input decoration-dotted underline-offset-4',
          className,
        )}
      >
        <time dateTime={value}>{dateText(value)}</time>
        {relative && <span className="text-muted"> ({relativeText(value, now)})</span>}
      </button>
    </Tooltip>
  );
}
