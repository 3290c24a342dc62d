/** Reports changes of the height of an element. */
import { type RefObject, useEffect, useEffectEvent } from 'react';

/** @param onChange called with the difference to the previous height in px */
export function useHeightChange(
  element: RefObject<HTMLElement | null>,
  onChange: (deltaPx: number) => void,
): void {
  const notify = useEffectEvent(onChange);
  useEffect(() => {
    const watched = element.current;
    if (watched === null) return undefined;
    let height = watched.offsetHeight;
    const observer = new ResizeObserver(() => {
      const deltaPx = watched.offsetHeight - height;
      height += deltaPx;
      if (deltaPx !== 0) notify(deltaPx);
    });
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
}
