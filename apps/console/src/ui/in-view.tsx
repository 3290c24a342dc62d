/** Reports when its position in a list comes into view. */
import { useEffect, useEffectEvent, useRef } from 'react';

/** A new `key` reports again, also if the position is still in view. */
export function InView({ onView }: { onView: () => void }): React.JSX.Element {
  const target = useRef<HTMLSpanElement>(null);
  const notify = useEffectEvent(onView);
  useEffect(() => {
    if (target.current === null) return undefined;
    const observer = new IntersectionObserver(
      (changes) => {
        if (changes.some((change) => change.isIntersecting)) notify();
      },
      { rootMargin: '400px' },
    );
    observer.observe(target.current);
    return () => observer.disconnect();
  }, []);
  return <span ref={target} aria-hidden />;
}
