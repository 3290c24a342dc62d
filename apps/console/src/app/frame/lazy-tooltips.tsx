/** The hints of the frame's controls, once everything that matters more has been loaded. */
import { useEffect, useState } from 'react';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';

const TooltipLayer = lazyOverlay(async () => (await import('../../ui/tooltip-layer.tsx')).TooltipLayer, {
  quiet: true,
});

/** After the first screen has its data, on an ordinary connection. */
const pause = 3000;

export function LazyTooltips(): React.ReactNode {
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWanted(true), pause);
    return () => clearTimeout(timer);
  }, []);
  return <TooltipLayer open={wanted} />;
}
