/** A button that opens a menu of actions or options. */
import { Menu as Primitive } from '@base-ui/react/menu';
import Check from 'lucide-react/icons/check';
import { type ReactElement, type ReactNode, useId } from 'react';
import { useLayerState } from './use-back-layer.ts';
import { cx } from './cx.ts';
import { popupStyle } from './overlay-style.ts';

interface MenuProps {
  /** The button, without a click handler. */
  trigger: ReactElement;
  side?: 'top' | 'bottom' | 'left' | 'right';
  align?: 'start' | 'center' | 'end';
  /** For a controlled menu only. */
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  className?: string;
  children: ReactNode;
}

/** Not modal: the page stays scrollable and accessible to assistive technology. */
export function Menu(props: MenuProps): React.JSX.Element {
  const { trigger, side = 'bottom', align = 'start', className, children } = props;
  const { open, onOpenChange } = useLayerState(props);
  return (
    <Primitive.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <Primitive.Trigger render={trigger} />
      <Primitive.Portal>
        <Primitive.Positioner side={side} align={align} sideOffset={6} className="z-50 outline-none">
          <Primitive.Popup
            className={cx(popupStyle, 'max-w-[min(24rem,calc(100vw-2rem))] min-w-44 p-1', className)}
          >
            {children}
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

const itemStyle =
  'flex min-h-8 cursor-default items-center gap-2 rounded-sm px-2 py-1.5 text-sm outline-none select-none data-disabled:opacity-60 data-highlighted:bg-subtle [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted';

interface MenuItemProps {
  onSelect: () => void;
  disabled?: boolean;
  /** Shown below the item. */
  description?: string;
  children: ReactNode;
}

export function MenuItem({
  onSelect,
  disabled = false,
  description,
  children,
}: MenuItemProps): React.JSX.Element {
  const id = useId();
  return (
    <>
      <Primitive.Item
        className={itemStyle}
        onClick={onSelect}
        disabled={disabled}
        aria-describedby={description && id}
      >
        {children}
      </Primitive.Item>
      {description !== undefined && (
        <p id={id} className="px-2 pb-1.5 pl-8 text-xs text-muted">
          {description}
        </p>
      )}
    </>
  );
}

interface MenuLinkItemProps {
  /** The link element, for example a router link. */
  render: ReactElement;
  children: ReactNode;
}

export function MenuLinkItem({ render, children }: MenuLinkItemProps): React.JSX.Element {
  return (
    <Primitive.LinkItem
      className={cx(itemStyle, 'aria-[current=page]:bg-subtle aria-[current=page]:font-medium')}
      render={render}
      closeOnClick
    >
      {children}
    </Primitive.LinkItem>
  );
}

export function MenuSeparator(): React.JSX.Element {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-border" />;
}

interface MenuGroupProps {
  label: ReactNode;
  children: ReactNode;
}

export function MenuGroup({ label, children }: MenuGroupProps): React.JSX.Element {
  return (
    <Primitive.Group>
      <Primitive.GroupLabel className="truncate px-2 py-1.5 text-xs font-medium text-muted">
        {label}
      </Primitive.GroupLabel>
      {children}
    </Primitive.Group>
  );
}

interface MenuRadioGroupProps {
  value: string;
  onValueChange: (value: string) => void;
  children: ReactNode;
}

export function MenuRadioGroup({ value, onValueChange, children }: MenuRadioGroupProps): React.JSX.Element {
  return (
    <Primitive.RadioGroup value={value} onValueChange={(next: string) => onValueChange(next)}>
      {children}
    </Primitive.RadioGroup>
  );
}

interface MenuRadioItemProps {
  value: string;
  children: ReactNode;
}

export function MenuRadioItem({ value, children }: MenuRadioItemProps): React.JSX.Element {
  return (
    <Primitive.RadioItem value={value} className={itemStyle} closeOnClick>
      <span className="flex flex-1 items-center gap-2">{children}</span>
      <Primitive.RadioItemIndicator>
        <Check aria-hidden />
      </Primitive.RadioItemIndicator>
    </Primitive.RadioItem>
  );
}
