/** Keeps the focus in an element when its focused control is removed. */
import { type FocusEvent, useLayoutEffect, useRef } from 'react';

interface KeptFocusProps<Element extends HTMLElement> {
  readonly ref: React.RefObject<Element | null>;
  readonly tabIndex: -1;
  readonly onFocus: () => void;
  readonly onBlur: (event: FocusEvent) => void;
}

/**
 * Returns the props of the element. It gets the focus itself after a render that removed its focused control,
 * for example the button that started a run.
 */
export function useKeptFocus<Element extends HTMLElement>(): KeptFocusProps<Element> {
  const ref = useRef<Element>(null);
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
