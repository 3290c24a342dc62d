/** A full page with a spinner and an optional progress text. */
import { Spinner } from './spinner.tsx';

export function LoadingScreen({ text }: { text?: string }): React.JSX.Element {
  return (
    <div className="grid min-h-[50svh] flex-1 place-content-center justify-items-center gap-3 p-6 text-center">
      <Spinner size="lg" label={text === undefined ? 'Loading' : ''} />
      {text !== undefined && (
        <p role="status" className="text-sm text-muted">
          {text}
        </p>
      )}
    </div>
  );
}
