/** Marks the messages at the screen's edge; a press there must not close a dialog beneath. */
export const toasterAttribute = 'data-toaster';
