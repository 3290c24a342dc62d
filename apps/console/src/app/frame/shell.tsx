/** Layout of the /admin screens: sidebar, header and content. */
import { useLocation } from '@tanstack/react-router';
import PanelLeft from 'lucide-react/icons/panel-left';
import { type ReactNode, useEffect } from 'react';
import { useReauthenticationRequest } from '../../session/fresh-session.ts';
import { cancelSignOut, signOut, useSignOut } from '../../session/sign-out.ts';
import { useUserQueries } from '../../session/use-session.tsx';
import { lazyOverlay, LazyConfirmDialog } from '../../ui/lazy-overlay.tsx';
import { Button } from '../../ui/button.tsx';
import { tooltipProps } from '../../ui/tooltip-props.ts';
import { shortcutText } from '../../ui/shortcut-keys.ts';
import { CommandPaletteButton } from '../palette/command-palette-button.tsx';
import { LazyFrameParts } from './lazy-frame-parts.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { Sidebar, sidebarId } from './sidebar.tsx';
import { useSidebarState } from './sidebar-state.ts';

const mainId = 'main';

const ReauthenticationDialog = lazyOverlay(
  async () => (await import('../reauthentication-dialog.tsx')).ReauthenticationDialog,
);

interface ShellProps {
  children: ReactNode;
}

export function Shell({ children }: ShellProps): React.JSX.Element {
  useUserQueries();
  const sidebar = useSidebarState();
  const href = useLocation({ select: (location) => location.href });
  return (
    <div className="flex min-h-svh">
      <a
        href={`#${mainId}`}
        className="sr-only z-50 rounded-md bg-primary font-medium text-primary-foreground focus:not-sr-only focus:fixed focus:top-2 focus:left-1/2 focus:-translate-x-1/2 focus:px-4 focus:py-2"
        onClick={(event) => {
          // Move the focus without a URL fragment, because the router owns the URL.
          event.preventDefault();
          document.getElementById(mainId)?.focus();
        }}
      >
        Skip to content
      </a>
      <Sidebar state={sidebar} />
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-0 z-30 flex h-12 shrink-0 items-center gap-2 border-b border-border bg-surface px-2 md:px-4">
          <Button
            variant="ghost"
            size="icon"
            aria-label="Toggle Sidebar"
            aria-expanded={sidebar.isNarrow ? sidebar.sheetOpen : sidebar.expanded}
            aria-controls={sidebar.isNarrow ? undefined : sidebarId}
            onClick={sidebar.toggle}
            {...tooltipProps(`Toggle sidebar (${shortcutText('B')})`, 'bottom')}
          >
            <PanelLeft aria-hidden />
          </Button>
          <CommandPaletteButton />
        </header>
        <OfflineBanner />
        <LazyFrameParts />
        <main id={mainId} tabIndex={-1} className="flex min-w-0 flex-1 flex-col p-4 md:p-6">
          {children}
        </main>
        {/* Lets the user scroll content out from under a toast. */}
        <div aria-hidden className="h-(--toaster-room) shrink-0" />
      </div>
      <Reauthentication key={href} />
      <SignOutQuestion />
    </div>
  );
}

/** Cancels a change that waits for reauthentication when the user navigates: the change belongs to its screen. */
function Reauthentication(): React.JSX.Element {
  const request = useReauthenticationRequest();
  useEffect(() => () => request?.settle(false), [request]);
  return <ReauthenticationDialog open={request !== undefined} request={request} />;
}

/** Asks before a sign-out discards unsaved input. */
function SignOutQuestion(): React.JSX.Element {
  return (
    <LazyConfirmDialog
      open={useSignOut() === 'confirming'}
      title="Sign out now?"
      description="Unsaved input on this page is lost, and running work stops."
      confirmLabel="Sign out"
      onConfirm={() => void signOut()}
      onCancel={cancelSignOut}
    />
  );
}
