/** Menu button in the sidebar footer with the name of the signed-in user. */
import { useRouterState } from '@tanstack/react-router';
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down';
import { type ComponentProps, useState } from 'react';
import { useDisplayName } from '../../session/use-session.tsx';
import { requestSignOut, useSignOut } from '../../session/sign-out.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { cx } from '../../ui/cx.ts';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { type NavigationEntry, useUserMenuEntries } from '../navigation.ts';

const UserMenuList = lazyOverlay(async () => (await import('./user-menu-list.tsx')).UserMenuList);

interface UserMenuProps {
  expanded: boolean;
  /** Called when a link of the menu is followed. */
  onNavigate: (() => void) | undefined;
}

export function UserMenu({ expanded, onNavigate }: UserMenuProps): React.ReactNode {
  const [open, setOpen] = useState(false);
  const signingOut = useSignOut() === 'running';
  // Opens the menu with the same keys while the code of the menu loads.
  const fallbackTrigger = (
    <TriggerButton
      expanded={expanded}
      signingOut={signingOut}
      aria-haspopup="menu"
      aria-expanded={open}
      onPointerEnter={UserMenuList.preload}
      onFocus={UserMenuList.preload}
      onClick={() => setOpen(true)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        event.preventDefault();
        setOpen(true);
      }}
    />
  );
  return (
    <UserMenuList
      open={open}
      onOpenChange={setOpen}
      trigger={<TriggerButton expanded={expanded} signingOut={signingOut} />}
      signingOut={signingOut}
      onSignOut={requestSignOut}
      onNavigate={onNavigate}
      fallback={fallbackTrigger}
    />
  );
}

/** The screen of the menu that is shown. */
const useCurrentEntry = (): NavigationEntry | undefined => {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return useUserMenuEntries().find(({ to }) => path === to || path.startsWith(`${to}/`));
};

interface TriggerButtonProps extends ComponentProps<'button'> {
  expanded: boolean;
  signingOut: boolean;
}

function TriggerButton({ expanded, signingOut, ...rest }: TriggerButtonProps): React.JSX.Element {
  const name = useDisplayName() ?? 'Loading...';
  const screen = useCurrentEntry()?.label;
  return (
    <button
      type="button"
      {...rest}
      className={cx(
        'flex h-11 w-full items-center gap-2.5 rounded-md text-left text-sm -outline-offset-2',
        'hover:bg-sidebar-hover data-popup-open:bg-sidebar-hover',
        screen !== undefined && 'bg-sidebar-active',
        expanded ? 'px-2' : 'justify-center',
      )}
    >
      <span aria-hidden className="contents">
        {signingOut ? (
          <Spinner label="" size="inline" className="mx-1.5" />
        ) : (
          <Avatar name={name} variant="sidebar" />
        )}
      </span>
      <span className={expanded ? 'grid min-w-0 flex-1' : 'sr-only'}>
        <span className="truncate" dir="auto" translate="no" title={name}>
          {name}
        </span>
        {screen !== undefined && <span className="truncate text-xs text-sidebar-muted"> {screen}</span>}
      </span>
      {expanded && <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-sidebar-muted" />}
    </button>
  );
}
