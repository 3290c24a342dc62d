/** Shown instead of an empty list, with the next step. */
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  description?: string | undefined;
  action?: ReactNode;
}

export function EmptyState({ icon, title, description, action }: EmptyStateProps): React.JSX.Element {
  return (
    <div className="grid min-h-56 place-content-center justify-items-center gap-1.5 px-4 py-10 text-center">
      {icon !== undefined && (
        <span aria-hidden className="mb-1 text-muted [&_svg]:size-8 [&_svg]:stroke-[1.5]">
          {icon}
        </span>
      )}
      <p className="text-sm font-semibold text-foreground">{title}</p>
      {description !== undefined && <p className="max-w-sm text-sm text-muted">{description}</p>}
      {action !== undefined && <div className="mt-3">{action}</div>}
    </div>
  );
}
