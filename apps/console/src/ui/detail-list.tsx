/** Names and values of one record, in a side panel. */
import type { ReactNode } from 'react';

export function DetailList({ children }: { children: ReactNode }): React.JSX.Element {
  return <dl className="grid gap-3">{children}</dl>;
}

export function Detail({ name, children }: { name: string; children: ReactNode }): React.JSX.Element {
  return (
    <div className="grid gap-0.5 border-t border-border pt-3">
      <dt className="text-xs font-medium text-muted">{name}</dt>
      <dd className="text-sm wrap-anywhere">{children}</dd>
    </div>
  );
}
