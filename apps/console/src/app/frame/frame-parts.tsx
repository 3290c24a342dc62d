/** Parts of the frame that follow the first screen: tooltips, and the notice about second factors. */
import { TooltipLayer } from '../../ui/tooltip-layer.tsx';
import { SecondFactorNotice } from '../second-factor-notice.tsx';

export function FrameParts({ open }: { open: boolean }): React.JSX.Element {
  return (
    <>
      <SecondFactorNotice />
      <TooltipLayer open={open} />
    </>
  );
}
