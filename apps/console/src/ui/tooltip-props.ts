/** Props for the tooltip of a control, which `tooltip-layer.tsx` shows. */

export type TooltipSide = 'top' | 'bottom' | 'left' | 'right';

/**
 * Returns props to spread on a control. The control needs an accessible name, because a tooltip is no label.
 */
export const tooltipProps = (
  text: string,
  side: TooltipSide,
): Record<'data-tooltip' | 'data-tooltip-side', string> => ({
  'data-tooltip': text,
  'data-tooltip-side': side,
});
