/** Decides whether a list scrolls in its own frame, or the page scrolls and the list does not. */
import { type RefObject, useLayoutEffect, useState } from 'react';

/** px at the lower end of the page that toasts cover; the list gives them up. */
const toasterRoom = (): number =>
  parseFloat(document.documentElement.style.getPropertyValue('--toaster-room')) || 0;

/**
 * Returns true if the whole page fits into the window while the element has its minimum height.
 *
 * @param element the only part of the page that takes the height which is left over.
 * @param minHeight in px.
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
    // One of the two also changes with all that stands beside the element.
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
