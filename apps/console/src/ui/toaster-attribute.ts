/** Marks the toaster. A click on it must not close a dialog below. */
export const toasterAttribute = 'data-toaster';
