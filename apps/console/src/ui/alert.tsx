/** A message inside the page. Not a live region by default, because it is rendered with the page. */
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import Info from 'lucide-react/icons/info';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { QuotedText } from './quoted-text.tsx';

interface AlertProps {
  title: ReactNode;
  variant?: 'default' | 'warning' | 'destructive';
  /** Use `alert` or `status` if the message appears after an action of the user. */
  role?: 'note' | 'status' | 'alert';
  children?: ReactNode;
}

const styles = {
  default: { Icon: Info, box: 'border-border bg-subtle', icon: 'text-primary' },
  warning: { Icon: CircleAlert, box: 'border-border bg-warning-subtle', icon: 'text-accent-strong' },
  destructive: {
    Icon: CircleAlert,
    box: 'border-destructive bg-destructive-subtle',
    icon: 'text-destructive',
  },
} as const;

export function Alert({
  title,
  variant = 'default',
  role = 'note',
  children,
}: AlertProps): React.JSX.Element {
  const failed = variant === 'destructive';
  const { Icon, box, icon } = styles[variant];
  return (
    <div role={role} data-variant={variant} className={cx('flex gap-3 rounded-lg border p-4 text-sm', box)}>
      <Icon aria-hidden className={cx('mt-0.5 size-4 shrink-0', icon)} />
      <div className="grid min-w-0 gap-1 wrap-anywhere">
        <p className={cx('font-semibold', failed && 'text-destructive')}>
          <QuotedText>{title}</QuotedText>
        </p>
        {children !== undefined && <div className="text-foreground">{children}</div>}
      </div>
    </div>
  );
}
