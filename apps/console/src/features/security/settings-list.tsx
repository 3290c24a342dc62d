/** List of settings in a card. Each item has an icon, a name, details and actions. */
import type { ReactNode, Ref } from 'react';
import { QuotedText } from '../../ui/quoted-text.tsx';

export function SettingsList({ label, children }: { label: string; children: ReactNode }): React.JSX.Element {
  return (
    <ul aria-label={label} className="border-t border-border">
      {children}
    </ul>
  );
}

interface ItemProps {
  /** For an item that gets the focus by `focus()`. */
  ref?: Ref<HTMLLIElement> | undefined;
  icon: ReactNode;
  name: ReactNode;
  badge?: ReactNode;
  details: ReactNode;
  actions?: ReactNode;
}

export function SettingsListItem({ ref, icon, name, badge, details, actions }: ItemProps): React.JSX.Element {
  return (
    <li
      ref={ref}
      tabIndex={ref ? -1 : undefined}
      className="flex min-h-15 flex-wrap items-center gap-x-4 gap-y-2 border-border px-5 py-2.5 not-first:border-t"
    >
      <span
        aria-hidden
        className="grid size-8 shrink-0 place-content-center rounded-md bg-subtle text-muted [&_svg]:size-4"
      >
        {icon}
      </span>
      <div className="grid min-w-40 flex-1 gap-0.5">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium text-foreground">
          <bdi translate="no" className="min-w-0 wrap-anywhere">
            {name}
          </bdi>
          {badge}
        </p>
        <p className="text-[0.8125rem] text-muted wrap-anywhere">
          <QuotedText>{details}</QuotedText>
        </p>
      </div>
      {actions !== undefined && <div className="ml-auto flex shrink-0 gap-2">{actions}</div>}
    </li>
  );
}
