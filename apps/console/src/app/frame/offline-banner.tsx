/** Banner that is shown while the browser is offline. */
import WifiOff from 'lucide-react/icons/wifi-off';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { canLoad } from '../../api/can-load.ts';

const checkIntervalMs = 10_000;

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

export function OfflineBanner(): React.JSX.Element {
  const hasNetwork = useSyncExternalStore(subscribe, () => navigator.onLine);
  const [unreachable, setUnreachable] = useState(false);
  useEffect(() => {
    if (hasNetwork) return undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A service on this device, or in a network that the browser does not know, can be reached. It can restart.
    const check = async (): Promise<void> => {
      const loadable = await canLoad('/auth');
      if (isOver) return;
      setUnreachable(!loadable);
      timer = setTimeout(() => void check(), checkIntervalMs);
    };
    void check();
    return () => {
      isOver = true;
      clearTimeout(timer);
      setUnreachable(false);
    };
  }, [hasNetwork]);
  return (
    <div role="status">
      {!hasNetwork && unreachable && (
        <p className="flex items-center gap-2 border-b border-border bg-warning-subtle px-4 py-2 text-sm text-foreground md:px-6">
          <WifiOff aria-hidden className="size-4 shrink-0 text-accent-strong" />
          You are offline. Data may be out of date, and changes cannot be saved.
        </p>
      )}
    </div>
  );
}
