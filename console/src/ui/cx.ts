/** Joins class names; of two Tailwind classes for the same property the later one wins. */
import { type ClassValue, clsx } from 'clsx';
import { twMerge } from 'tailwind-merge';

export const cx = (...classes: ClassValue[]): string => twMerge(clsx(classes));
