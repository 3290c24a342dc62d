/**
 * Joins class names. The order of classes does not decide between two of them that set the same property, so
 * a caller never passes a class that the component sets itself: components have variants for that.
 * e2e/every-screen/accessibility.spec.ts finds elements with two classes for one property.
 */
export { clsx as cx } from 'clsx';
