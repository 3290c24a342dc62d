/** The Styleguide screen: demos of the UI components with sample data. */
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { runtimeConfig } from '../../api/backend.ts';
import { Button } from '../../ui/button.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { useCopyWithToast } from '../../ui/use-copy-with-toast.ts';
import { DataTableDemo, DualListDemo } from './data-demos.tsx';
import { AccordionDemo, AvatarDemo, ProgressDemo, SkeletonDemo, TabsDemo } from './display-demos.tsx';
import { FormDemo } from './form-demo.tsx';
import { DialogDemo, DropdownDemo, PopoverDemo, ToastsDemo, TooltipDemo } from './overlay-demos.tsx';
import { setupGuide } from './setup-guide.ts';
import { AlertsDemo, BadgesDemo, ButtonsDemo, CardsDemo, ColorsDemo } from './surface-demos.tsx';

const text = {
  title: (productName: string) => `${productName} Design System`,
  subtitle: 'Emergency Response Platform Component Library',
  copy: 'Copy Setup Guide',
  copied: 'Copied!',
  copiedDescription: 'Design system setup copied to clipboard',
  copyFailed: 'Not copied',
  copyFailedDescription: 'Your browser blocked access to the clipboard.',
} as const;

export function StyleguideScreen(): React.JSX.Element {
  return (
    <div className="grid content-start gap-4">
      <ScreenHeader
        title={text.title(runtimeConfig.productName)}
        description={text.subtitle}
        action={<CopySetupGuide />}
      />
      <div className="grid gap-4 xl:grid-cols-2">
        <ColorsDemo />
        <ButtonsDemo />
        <BadgesDemo />
        <AlertsDemo />
        <CardsDemo />
        <FormDemo />
        <DialogDemo />
        <DropdownDemo />
        <PopoverDemo />
        <TooltipDemo />
        <ToastsDemo />
        <TabsDemo />
        <AccordionDemo />
        <SkeletonDemo />
        <AvatarDemo />
        <ProgressDemo />
        <DataTableDemo />
        <DualListDemo />
      </div>
    </div>
  );
}

function CopySetupGuide(): React.JSX.Element {
  const { copied, copy } = useCopyWithToast({
    action: 'copy-guide',
    succeeded: { title: text.copied, description: text.copiedDescription },
    // The page does not show the guide, so the user cannot select it.
    blocked: { title: text.copyFailed, description: text.copyFailedDescription },
  });
  return (
    <Button onClick={() => copy(setupGuide(runtimeConfig.productName))} className="min-w-46">
      {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
      {copied ? text.copied : text.copy}
    </Button>
  );
}
