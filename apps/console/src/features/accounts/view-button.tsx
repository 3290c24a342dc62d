/** The button of the view menu, with the number of its settings that differ from the defaults. */
import { type ComponentProps, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { useRowHeight } from '../../ui/row-height.ts';
import { accountsText as text } from './accounts-text.ts';
import type { ViewMenuProps } from './view-menu.tsx';

const ViewMenu = lazyOverlay(async () => (await import('./view-menu.tsx')).ViewMenu);

type ViewButtonProps = Omit<ViewMenuProps, 'open' | 'onOpenChange' | 'trigger' | 'changed'>;

export function ViewButton(props: ViewButtonProps): React.JSX.Element {
  const [open, setOpen] = useState(false);
  const { sort, status } = props.filter;
  const changed = [sort, status, useRowHeight() < 44].filter(Boolean).length;
  return (
    <div className="col-span-2 justify-self-end sm:ml-auto">
      {status && <p className="hidden text-sm print:block">Status: {status}</p>}
      <ViewMenu
        {...props}
        open={open}
        onOpenChange={setOpen}
        changed={changed}
        trigger={<Trigger changed={changed} />}
        fallback={
          <Trigger
            changed={changed}
            aria-haspopup="dialog"
            aria-expanded={open}
            onPointerEnter={ViewMenu.preload}
            onFocus={ViewMenu.preload}
            onClick={() => setOpen(true)}
          />
        }
      />
    </div>
  );
}

function Trigger({
  changed,
  ...rest
}: ComponentProps<typeof Button> & { changed: number }): React.JSX.Element {
  return (
    <Button variant="outline" {...rest}>
      {text.view}
      {changed > 0 && (
        <span className="rounded-full bg-primary px-1.5 text-xs text-primary-foreground">
          {changed}
          <span className="sr-only"> {text.viewChanged}</span>
        </span>
      )}
    </Button>
  );
}
