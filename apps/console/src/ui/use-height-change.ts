/** Tells by how many px an element has grown (below 0: shrunk) since it was last looked at. */
import { type RefObject, useEffect, useEffectEvent } from 'react';

export function useHeightChange(
  element: RefObject<HTMLElement | null>,
  onChange: (grown: number) => void,
): void {
  const tell = useEffectEvent(onChange);
  useEffect(() => {
    const watched = element.current;
    if (watched === null) return undefined;
    let height = watched.offsetHeight;
    const observer = new ResizeObserver(() => {
      const grown = watched.offsetHeight - height;
      height += grown;
      if (grown !== 0) tell(grown);
    });
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
}
