/** Warns that data may be out of date while the service cannot be reached. */
import WifiOff from 'lucide-react/icons/wifi-off';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { canLoad } from '../../api/can-load.ts';

/** Milliseconds between the first two checks. Each further time is twice the one before. */
const firstIntervalMs = 1000;
const maxIntervalMs = 10_000;

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

/**
 * Returns true if the browser reports no network and the service cannot be reached. `navigator.onLine` is also false for
 * some networks that reach the service, so the service is checked as well, repeatedly, because it can restart. The first
 * checks are close together: one that starts as the line is cut can still succeed.
 */
const useIsOffline = (): boolean => {
  const hasNetwork = useSyncExternalStore(subscribe, () => navigator.onLine);
  const [unreachable, setUnreachable] = useState(false);
  useEffect(() => {
    if (hasNetwork) return undefined;
    let canceled = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let intervalMs = firstIntervalMs;
    const check = async (): Promise<void> => {
      const loadable = await canLoad('/auth');
      if (canceled) return;
      setUnreachable(!loadable);
      timer = setTimeout(() => void check(), intervalMs);
      intervalMs = Math.min(2 * intervalMs, maxIntervalMs);
    };
    void check();
    return () => {
      canceled = true;
      clearTimeout(timer);
      setUnreachable(false);
    };
  }, [hasNetwork]);
  return !hasNetwork && unreachable;
};

export function OfflineBanner(): React.JSX.Element {
  const offline = useIsOffline();
  return (
    <div role="status">
      {offline && (
        <p className="flex items-center gap-2 border-b border-border bg-warning-subtle px-4 py-2 text-sm text-foreground md:px-6">
          <WifiOff aria-hidden className="size-4 shrink-0 text-accent-strong" />
          You are offline. Data may be out of date, and changes cannot be saved.
        </p>
      )}
    </div>
  );
}
