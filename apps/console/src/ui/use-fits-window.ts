/** Decides whether a list scrolls in its container or with the page. */
import { type RefObject, useLayoutEffect, useState } from 'react';

/** Returns the height in px that toasts cover at the bottom. The list becomes shorter by it. */
const toasterRoom = (): number =>
  parseFloat(document.documentElement.style.getPropertyValue('--toaster-room')) || 0;

/**
 * Returns true if the page fits into the window when the element has its minimum height.
 *
 * @param element the only element of the page that takes the remaining height
 * @param minHeight in px
 */
export const useFitsWindow = (element: RefObject<HTMLElement | null>, minHeight: number): boolean => {
  const [fits, setFits] = useState(true);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const page = document.documentElement;
    const measure = (): void => {
      const others = page.scrollHeight - current.offsetHeight - toasterRoom();
      setFits(others + minHeight <= page.clientHeight);
    };
    measure();
    addEventListener('resize', measure);
    // Any other size change on the page also resizes one of the two.
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    observer.observe(page);
    return () => {
      removeEventListener('resize', measure);
      observer.disconnect();
    };
  }, [element, minHeight]);
  return fits;
};
