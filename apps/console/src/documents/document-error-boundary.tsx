/** The last error boundary of a document. Renders its children again, and shows a message if that fails, too. */
import { Component, Fragment, type ReactNode } from 'react';
import { ErrorState } from '../ui/error-state.tsx';

/** A second error within this time would repeat, so the message stays. */
const retryIntervalMs = 3000;

interface State {
  readonly attempt: number;
  readonly failedAt: number;
  readonly failed: boolean;
}

export class DocumentErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { attempt: 0, failedAt: -Infinity, failed: false };

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true };
  }

  override componentDidCatch(): void {
    this.setState(({ attempt, failedAt }) => {
      const now = performance.now();
      const failed = now - failedAt < retryIntervalMs;
      return { attempt: attempt + 1, failedAt: now, failed };
    });
  }

  override render(): ReactNode {
    if (!this.state.failed) return <Fragment key={this.state.attempt}>{this.props.children}</Fragment>;
    return (
      <DocumentMessage>
        <ErrorState
          title="This page could not be shown"
          description="An unexpected error occurred. If it happens again, turn off translation and browser extensions for this page."
          onRetry={() => location.reload()}
          retrying={false}
        />
      </DocumentMessage>
    );
  }
}

interface DocumentMessageProps {
  children: ReactNode;
}

/** A message instead of the whole document. */
export function DocumentMessage({ children }: DocumentMessageProps): React.JSX.Element {
  return (
    <main className="grid min-h-svh place-content-center p-6">
      <div role="alert" className="grid max-w-md gap-2">
        {children}
      </div>
    </main>
  );
}
