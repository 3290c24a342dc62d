/** Props for the tooltip of a control, which `tooltip-layer.tsx` shows. */

export type TooltipSide = 'top' | 'bottom' | 'left' | 'right';

/** Returns the control with a tooltip that contains the target of an event. */
export const findTooltipAnchor = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null;

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
