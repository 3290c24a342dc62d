/** Moves the focus from a control that disappears when it is pressed. */
import { screenTitleId } from './screen-header.tsx';

/** Moves the focus to the table around the control or, without one, to the title of the screen. */
export const focusList = (control: HTMLElement): void => {
  const table = control.closest<HTMLElement>('section[tabindex]');
  (table ?? document.getElementById(screenTitleId))?.focus();
};
