/**
 * Merges Tailwind classes: the later of two classes for the same property wins. Contains only the properties that the
 * console uses, because the default table of tailwind-merge is four times larger than the rest of the package.
 * `class-merge.test.ts` compares both tables for every class in the source; a failing pair is missing below.
 */
import { createTailwindMerge } from 'tailwind-merge';

const any = (): boolean => true;
const side = ['x', 'y', 't', 'r', 'b', 'l'] as const;

const textSizes = ['2xs', 'xs', 'sm', 'base', 'lg', 'xl', '2xl', '3xl', '4xl', '5xl'];
const isLength = (value: string): boolean => /^\[[\d.]+(?:rem|px|em)\]$/.test(value);
const isWidth = (value: string): boolean => /^(?:\d+|\[\d+px\])$/.test(value);
const positions = ['start', 'end', 'center', 'between', 'around', 'evenly', 'stretch', 'baseline'];
const weights = ['normal', 'medium', 'semibold', 'bold'];
const families = ['sans', 'mono'];

/** Class groups of a property for the whole box and for each side: `p`, `px`, `pt`. */
const boxed = (name: string): Record<string, Record<string, (typeof any)[]>[]> =>
  Object.fromEntries(['', ...side].map((at) => [name + at, [{ [name + at]: [any] }]]));

const boxConflicts = (name: string): Record<string, string[]> => ({
  [name]: side.map((at) => name + at),
  [`${name}x`]: [`${name}r`, `${name}l`],
  [`${name}y`]: [`${name}t`, `${name}b`],
});

const borderSides = Object.fromEntries(
  side.flatMap((at) => [
    [`border-w-${at}`, [{ [`border-${at}`]: ['', isWidth] }]],
    [`border-color-${at}`, [{ [`border-${at}`]: [any] }]],
  ]),
);

const classGroups = {
  display: [
    'block',
    'inline-block',
    'inline',
    'flex',
    'inline-flex',
    'grid',
    'inline-grid',
    'contents',
    'hidden',
    'table',
  ],
  position: ['static', 'fixed', 'absolute', 'relative', 'sticky'],
  ...boxed('p'),
  ...boxed('m'),
  inset: [{ inset: [any] }],
  'inset-x': [{ 'inset-x': [any] }],
  'inset-y': [{ 'inset-y': [any] }],
  top: [{ top: [any] }],
  right: [{ right: [any] }],
  bottom: [{ bottom: [any] }],
  left: [{ left: [any] }],
  z: [{ z: [any] }],
  size: [{ size: [any] }],
  w: [{ w: [any] }],
  h: [{ h: [any] }],
  'min-w': [{ 'min-w': [any] }],
  'min-h': [{ 'min-h': [any] }],
  'max-w': [{ 'max-w': [any] }],
  'max-h': [{ 'max-h': [any] }],
  gap: [{ gap: [any] }],
  'gap-x': [{ 'gap-x': [any] }],
  'gap-y': [{ 'gap-y': [any] }],
  'grid-cols': [{ 'grid-cols': [any] }],
  'flex-direction': [{ flex: ['row', 'row-reverse', 'col', 'col-reverse'] }],
  flex: [{ flex: ['1', 'auto', 'none'] }],
  basis: [{ basis: [any] }],
  shrink: [{ shrink: ['', any] }],
  grow: [{ grow: ['', any] }],
  'justify-content': [{ justify: positions }],
  'justify-items': [{ 'justify-items': positions }],
  'justify-self': [{ 'justify-self': positions }],
  'align-items': [{ items: positions }],
  'align-self': [{ self: positions }],
  'align-content': [{ content: positions }],
  'font-size': [{ text: [...textSizes, isLength] }],
  'text-align': [{ text: ['left', 'center', 'right'] }],
  'text-color': [{ text: [any] }],
  leading: [{ leading: [any] }],
  tracking: [{ tracking: [any] }],
  'font-weight': [{ font: weights }],
  'font-family': [{ font: families }],
  whitespace: [{ whitespace: [any] }],
  background: [{ bg: [any] }],
  rounded: [{ rounded: ['', any] }],
  'border-w': [{ border: ['', isWidth] }],
  'border-style': [{ border: ['dashed', 'solid', 'dotted', 'none'] }],
  'border-collapse': [{ border: ['separate', 'collapse'] }],
  'border-spacing': [{ 'border-spacing': [any] }],
  'border-color': [{ border: [any] }],
  ...borderSides,
  shadow: [{ shadow: ['', any] }],
  opacity: [{ opacity: [any] }],
  overflow: [{ overflow: ['auto', 'clip', 'hidden', 'visible', 'scroll'] }],
  'overflow-x': [{ 'overflow-x': [any] }],
  'overflow-y': [{ 'overflow-y': [any] }],
  'scroll-mb': [{ 'scroll-mb': [any] }],
  'pointer-events': [{ 'pointer-events': [any] }],
  cursor: [{ cursor: [any] }],
  select: [{ select: [any] }],
  transition: [{ transition: ['', any] }],
  duration: [{ duration: [any] }],
  animate: [{ animate: [any] }],
  'outline-offset': [{ 'outline-offset': [any] }],
  'underline-offset': [{ 'underline-offset': [any] }],
  'translate-x': [{ 'translate-x': [any] }],
  'translate-y': [{ 'translate-y': [any] }],
};

/** For each group, the groups whose earlier classes it overrides. */
const conflictingClassGroups: Record<string, string[]> = {
  ...boxConflicts('p'),
  ...boxConflicts('m'),
  inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
  'inset-x': ['right', 'left'],
  'inset-y': ['top', 'bottom'],
  size: ['w', 'h'],
  flex: ['basis', 'shrink', 'grow'],
  gap: ['gap-x', 'gap-y'],
  overflow: ['overflow-x', 'overflow-y'],
  'font-size': ['leading'],
  'border-w': side.map((at) => `border-w-${at}`),
  'border-color': side.map((at) => `border-color-${at}`),
};

export const mergeClasses = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups,
  conflictingClassGroups,
  conflictingClassGroupModifiers: {},
  orderSensitiveModifiers: ['before', 'after', 'placeholder', 'file', 'marker', 'selection'],
  postfixLookupClassGroups: [],
}));
