/** Shown instead of content that could not be loaded, with a Retry button. */
import CloudAlert from 'lucide-react/icons/cloud-exclamation-point';
import RotateCw from 'lucide-react/icons/rotate-cw';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

interface ErrorStateProps {
  /** What failed. */
  title: string;
  /** The reason, if known. */
  description?: string;
  onRetry: () => void;
  /** True while a retry is running. */
  retrying: boolean;
  /** Another action, next to the button. */
  children?: ReactNode;
}

export function ErrorState({
  title,
  description,
  onRetry,
  retrying,
  children,
}: ErrorStateProps): React.JSX.Element {
  return (
    <EmptyState
      icon={<CloudAlert />}
      title={title}
      description={description}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button variant="outline" size="sm" onClick={onRetry} pending={retrying} pendingLabel="Retrying...">
            <RotateCw aria-hidden />
            Retry
          </Button>
          {children}
        </div>
      }
    />
  );
}
