/** Loads tooltips and notices of the frame after the data of the first screen. */
import { useEffect, useState } from 'react';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';

const FrameParts = lazyOverlay(async () => (await import('./frame-parts.tsx')).FrameParts, {
  quiet: true,
});

/** On a typical connection, the first screen has its data by then. */
const delayMs = 3000;

export function LazyFrameParts(): React.ReactNode {
  const [enabled, setEnabled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setEnabled(true), delayMs);
    return () => clearTimeout(timer);
  }, []);
  return <FrameParts open={enabled} />;
}
