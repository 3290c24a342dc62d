/** Layout of the /admin screens: sidebar, header and content. */
import type { SecondFactorRequirement } from '@lanternrock/contract/administrators';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import PanelLeft from 'lucide-react/icons/panel-left';
import { type ReactNode, useEffect, useState } from 'react';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { useReauthenticationRequest } from '../../session/reauthentication-request.ts';
import { cancelSignOut, signOut, useSignOut } from '../../session/sign-out.ts';
import { useIsAdministrator, useUser, useUserQueries } from '../../session/use-session.tsx';
import { DemonstrationBanner } from '../../shared/demonstration-banner.tsx';
import { secondFactorRequirementQuery } from '../../shared/second-factor-requirement.ts';
import { lazyOverlay, LazyConfirmDialog } from '../../ui/lazy-overlay.tsx';
import { Button } from '../../ui/button.tsx';
import { findTooltipAnchor, tooltipProps } from '../../ui/tooltip-props.ts';
import { ariaShortcut, shortcutKeys, shortcutText } from '../../ui/shortcut-keys.ts';
import { CommandPaletteButton } from '../palette/command-palette-button.tsx';
import { ClockBanner } from './clock-banner.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { Sidebar, sidebarId } from './sidebar.tsx';
import { useSidebarState } from './use-sidebar-state.ts';

const mainId = 'main';

const ReauthenticationDialog = lazyOverlay(
  async () => (await import('../reauthentication-dialog.tsx')).ReauthenticationDialog,
);

const TooltipLayer = lazyOverlay(async () => (await import('../../ui/tooltip-layer.tsx')).TooltipLayer, {
  quiet: true,
});
const SecondFactorNotice = lazyOverlay(
  async () => (await import('../second-factor-notice.tsx')).SecondFactorNotice,
  { quiet: true },
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
            aria-keyshortcuts={ariaShortcut(shortcutKeys.sidebar)}
            aria-controls={sidebar.isNarrow ? undefined : sidebarId}
            onClick={sidebar.toggle}
            {...tooltipProps(`Toggle sidebar (${shortcutText(shortcutKeys.sidebar)})`, 'bottom')}
          >
            <PanelLeft aria-hidden />
          </Button>
          <RequiredSecondFactor />
          <CommandPaletteButton />
        </header>
        <DemonstrationBanner />
        <OfflineBanner />
        <ClockBanner />
        <Tooltips />
        <main id={mainId} tabIndex={-1} className="peer/main flex min-w-0 flex-1 flex-col p-4 md:p-6">
          {children}
        </main>
        {/* Lets the user scroll content out from under a toast. A list that fits the window has the space itself. */}
        <div
          aria-hidden
          data-toaster-space=""
          className="h-(--toaster-room) shrink-0 peer-has-data-fits/main:hidden"
        />
      </div>
      <Reauthentication key={href} />
      <SignOutConfirmation />
    </div>
  );
}

/** Notifies an administrator who must set up a second factor. */
function RequiredSecondFactor(): React.JSX.Element {
  const requirement = useSecondFactorRequirement();
  return <SecondFactorNotice open={requirement !== undefined} requirement={requirement} />;
}

/** The code of the tooltips is loaded for the first one. */
function Tooltips(): React.JSX.Element {
  return <TooltipLayer open={useNeedsTooltips()} />;
}

/** Cancels a change that waits for reauthentication when the user navigates: the change belongs to its screen. */
function Reauthentication(): React.JSX.Element {
  const request = useReauthenticationRequest();
  useEffect(() => () => request?.settle(false), [request]);
  return <ReauthenticationDialog open={request !== undefined} request={request} />;
}

/** Confirms a sign-out that discards unsaved input. */
function SignOutConfirmation(): React.JSX.Element {
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

/** The requirement is read after this time. On a typical connection, the first screen has its data by then. */
const requirementDelayMs = 3000;

/** Returns the requirement if it concerns the user: an administrator without a verified factor. */
function useSecondFactorRequirement(): SecondFactorRequirement | undefined {
  const [enabled, setEnabled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setEnabled(true), requirementDelayMs);
    return () => clearTimeout(timer);
  }, []);
  const isAdministrator = useIsAdministrator().state === 'yes';
  const isVerified = useUser()?.factors?.some(({ status }) => status === 'verified') ?? false;
  // An administrator with a factor cannot continue without it.
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
