/** A table container that takes the remaining height of the window. */
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { cx } from './cx.ts';
import { useRowHeight } from './row-height.ts';
import { TableContainer } from './table.tsx';

interface FillingContainerProps {
  label: string;
  minRows: number;
  restorationId: string;
  children: ReactNode;
}

const headerHeight = 40;

/** Takes the remaining height of the window, but at least the height of `minRows` rows: then the page scrolls. */
export function FillingContainer({
  label,
  minRows,
  restorationId,
  children,
}: FillingContainerProps): ReactNode {
  const container = useRef<HTMLElement>(null);
  // 2 px for the borders.
  const minHeight = headerHeight + minRows * useRowHeight(container) + 2;
  const fits = useFitsWindow(container, minHeight);
  return (
    <TableContainer
      ref={container}
      label={label}
      data-scroll-restoration-id={restorationId}
      data-page-scrolls={fits ? undefined : ''}
      data-fits={fits ? '' : undefined}
      style={{ minHeight }}
      className={cx(
        'peer grow has-[[data-table-message]]:grid',
        fits
          ? // The last rows can be scrolled out from under a toast, which does not move the visible ones.
            'scroll-bars basis-0 overflow-x-auto overflow-y-scroll not-has-[[data-table-message]]:pb-(--toaster-room) [--covered-above:3rem] [--covered-below:0.25rem]'
          : // The header row sticks below the page header if the table fits the screen width.
            'overflow-x-auto [--covered-above:6rem] [--covered-below:4.5rem] @3xl/screen:overflow-clip @3xl/screen:[&_th]:top-12',
      )}
    >
      {children}
    </TableContainer>
  );
}

/** Returns the height in px of the space that the page has below its content for toasts. */
const toasterSpace = (): number =>
  document.querySelector<HTMLElement>('[data-toaster-space]')?.offsetHeight ?? 0;

/**
 * Returns true if the page fits into the window when the element has its minimum height.
 *
 * @param element the only element of the page that takes the remaining height
 * @param minHeight in px
 */
const useFitsWindow = (element: RefObject<HTMLElement | null>, minHeight: number): boolean => {
  const [fits, setFits] = useState(true);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const page = document.documentElement;
    const measure = (): void => {
      const others = page.scrollHeight - current.offsetHeight - toasterSpace();
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
