/** Shared classes of all overlays. Transitions change opacity and position only. */

/** A dialog above another one does not darken the page again. */
export const backdropStyle =
  'fixed inset-0 z-50 bg-overlay [[data-base-ui-portal]:has(.bg-overlay)~*_&]:bg-transparent transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0 motion-reduce:transition-none';

export const popupStyle =
  'z-50 rounded-md border border-border bg-raised text-foreground shadow-lg outline-none transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0 motion-reduce:transition-none';
