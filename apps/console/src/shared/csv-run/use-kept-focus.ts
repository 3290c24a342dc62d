/** Keeps the focus in an element whose focused control is removed. */
import { type FocusEvent, useLayoutEffect, useRef } from 'react';

interface KeptFocusProps {
  readonly ref: React.RefObject<HTMLElement | null>;
  readonly tabIndex: -1;
  readonly onFocus: () => void;
  readonly onBlur: (event: FocusEvent) => void;
}

/**
 * Returns the props of the element. It gets the focus itself after a render that removed its focused control,
 * for example the button that started a run.
 */
export function useKeptFocus(): KeptFocusProps {
  const ref = useRef<HTMLElement>(null);
  const hadFocus = useRef(false);
  // React reports no blur for a control that it removes.
  useLayoutEffect(() => {
    if (hadFocus.current && document.activeElement === document.body)
      ref.current?.focus({ preventScroll: true });
  });
  return {
    ref,
    tabIndex: -1,
    onFocus: () => {
      hadFocus.current = true;
    },
    onBlur: ({ currentTarget, relatedTarget }) => {
      hadFocus.current = currentTarget.contains(relatedTarget);
    },
  };
}
