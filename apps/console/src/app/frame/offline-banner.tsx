/** Banner that is shown while the browser is offline. */
import WifiOff from 'lucide-react/icons/wifi-off';
import { useSyncExternalStore } from 'react';

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

export function OfflineBanner(): React.JSX.Element {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {!online && (
        <p className="flex items-center gap-2 border-b border-border bg-warning-subtle px-4 py-2 text-sm text-foreground md:px-6">
          <WifiOff aria-hidden className="size-4 shrink-0 text-accent-strong" />
          You are offline. Data may be out of date, and changes cannot be saved.
        </p>
      )}
    </div>
  );
}
