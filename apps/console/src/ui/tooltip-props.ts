/** A few words about a control of the frame, shown by `hint-layer.tsx`. */

export type TooltipSide = 'top' | 'bottom' | 'left' | 'right';

/** To be spread on a control that has a name of its own: a hint is no label. */
export const tooltipProps = (
  text: string,
  side: TooltipSide,
): Record<'data-hint' | 'data-hint-side', string> => ({
  'data-hint': text,
  'data-hint-side': side,
});
