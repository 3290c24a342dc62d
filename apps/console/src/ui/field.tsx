/** The label, control, help text and error of a form field, linked for assistive technology. */
import { type ReactNode, useId } from 'react';
import { cx } from './cx.ts';
import { QuotedText } from './quoted-text.tsx';

/** Spread these props on the control. */
interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps {
  label: ReactNode;
  /** Shown below the control and included in its description. */
  error?: string | undefined;
  /** Always visible, also together with an error. */
  helpText?: ReactNode;
  /** Shown at the right end of the label line, for example a link. */
  aside?: ReactNode;
  className?: string | undefined;
  render: (control: FieldControl) => ReactNode;
}

/** The browser scrolls to the focused control, before the error below it is rendered. */
const scrollIntoView = (error: HTMLElement | null): void => {
  if (error?.parentElement?.contains(document.activeElement) === true)
    error.scrollIntoView({ block: 'nearest' });
};

/** Shows the error at its field. The form moves the focus to the first invalid field. */
export function Field({ label, error, helpText, aside, className, render }: FieldProps): React.JSX.Element {
  const id = useId();
  const helpId = `${id}-help`;
  const errorId = `${id}-error`;
  const describedBy = [error === undefined ? '' : errorId, helpText === undefined ? '' : helpId]
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
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error !== undefined && (
        <p id={errorId} ref={scrollIntoView} className="text-[0.8125rem] text-destructive">
          {error}
        </p>
      )}
      {helpText !== undefined && (
        <p id={helpId} className="text-[0.8125rem] text-muted has-[>:only-child:empty]:sr-only">
          <QuotedText>{helpText}</QuotedText>
        </p>
      )}
    </div>
  );
}
