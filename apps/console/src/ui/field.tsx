/** Label, control, hint and error of one form field, tied together for assistive technology. */
import { type ReactNode, useId } from 'react';
import { cx } from './cx.ts';

/** To be spread on the control. */
interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps {
  label: ReactNode;
  /** Shown under the control and read out with it. */
  error?: string | undefined;
  /** Help that is always visible; stays readable while an error shows. */
  helpText?: ReactNode;
  /** Shown at the right end of the label's line, for example a link. */
  aside?: ReactNode;
  className?: string | undefined;
  render: (control: FieldControl) => ReactNode;
}

/** Specification section 5: messages stand at their field. The form moves focus to the first one. */
export function Field({ label, error, helpText, aside, className, render }: FieldProps): React.JSX.Element {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = [error === undefined ? '' : errorId, helpText === undefined ? '' : hintId]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={cx('grid content-start gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium text-foreground">
          {label}
        </label>
        {aside}
      </div>
      {render({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error !== undefined && (
        <p id={errorId} className="text-[0.8125rem] text-destructive">
          {error}
        </p>
      )}
      {helpText !== undefined && (
        <p id={hintId} className="text-[0.8125rem] text-muted has-[>:only-child:empty]:sr-only">
          {helpText}
        </p>
      )}
    </div>
  );
}
