/** Joins class names. The later of two Tailwind classes for the same property wins. */
import { type ClassValue, clsx } from 'clsx';
import { mergeClasses } from './class-merge.ts';

export const cx = (...classes: ClassValue[]): string => mergeClasses(clsx(classes));
