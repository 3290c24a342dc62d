/** Parts of the frame that follow the first screen: tooltips, and the notice about second factors. */
import type { SecondFactorRequirement } from '@lanternrock/contract/administrators';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { secondFactorRequirementQuery } from '../../shared/second-factor-requirement.ts';
import { useIsAdministrator, useUser } from '../../session/use-session.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { findTooltipAnchor } from '../../ui/tooltip-props.ts';

const TooltipLayer = lazyOverlay(async () => (await import('../../ui/tooltip-layer.tsx')).TooltipLayer, {
  quiet: true,
});
const SecondFactorNotice = lazyOverlay(
  async () => (await import('../second-factor-notice.tsx')).SecondFactorNotice,
  { quiet: true },
);

/** On a typical connection, the first screen has its data by then. */
const delayMs = 3000;

export function LazyFrameParts(): React.JSX.Element {
  const requirement = useSecondFactorRequirement();
  return (
    <>
      <SecondFactorNotice open={requirement !== undefined} requirement={requirement} />
      <TooltipLayer open={useNeedsTooltips()} />
    </>
  );
}

/** Returns the requirement if it concerns the user: an administrator without a verified factor. */
function useSecondFactorRequirement(): SecondFactorRequirement | undefined {
  const [enabled, setEnabled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setEnabled(true), delayMs);
    return () => clearTimeout(timer);
  }, []);
  const isAdministrator = useIsAdministrator().state === 'yes';
  const isVerified = useUser()?.factors?.some(({ status }) => status === 'verified') ?? false;
  // Those with a factor cannot act without it.
  const isConcerned = isAdministrator && !isVerified && hasFeature('extensions');
  const { data } = useQuery({
    ...secondFactorRequirementQuery,
    ...enabledIf(enabled && isConcerned),
    refetchOnWindowFocus: true,
  });
  return isConcerned && typeof data?.due_at === 'string' ? data : undefined;
}

/** Returns true from the first tooltip on. */
function useNeedsTooltips(): boolean {
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    if (needed) return undefined;
    const listeners = new AbortController();
    const options = { signal: listeners.signal, capture: true };
    const onEvent = (event: Event): void => {
      const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
      if (!isTouch && findTooltipAnchor(event.target) !== null) setNeeded(true);
    };
    for (const type of ['pointerover', 'focusin']) document.addEventListener(type, onEvent, options);
    return () => listeners.abort();
  }, [needed]);
  return needed;
}
