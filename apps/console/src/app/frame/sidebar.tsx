/** Sidebar with product name, navigation and user menu. On narrow screens it opens as a sheet. */
import { Link } from '@tanstack/react-router';
import { runtimeConfig } from '../../api/backend.ts';
import { cx } from '../../ui/cx.ts';
import { tooltipProps } from '../../ui/tooltip-props.ts';
import { LazySheet } from '../../ui/lazy-overlay.tsx';
import { Logo } from '../../ui/logo.tsx';
import { sidebarEntries } from '../navigation.ts';
import type { SidebarState } from './use-sidebar-state.ts';
import { UserMenu } from './user-menu.tsx';

export const sidebarId = 'sidebar';

export function Sidebar({ state }: { state: SidebarState }): React.JSX.Element {
  if (state.isNarrow) {
    return (
      <LazySheet
        open={state.sheetOpen}
        onOpenChange={(open) => {
          if (!open) state.closeSheet();
        }}
        title="Navigation"
        hideTitle
        hideClose
        side="left"
        variant="sidebar"
      >
        <SidebarContent expanded onNavigate={state.closeSheet} />
      </LazySheet>
    );
  }
  return (
    <aside
      id={sidebarId}
      data-state={state.expanded ? 'expanded' : 'collapsed'}
      className={cx(
        'sticky top-0 h-svh shrink-0 overflow-hidden border-r border-sidebar-border bg-sidebar text-sidebar-foreground',
        state.expanded ? 'w-64' : 'w-12',
      )}
    >
      <SidebarContent expanded={state.expanded} />
    </aside>
  );
}

interface SidebarContentProps {
  expanded: boolean;
  onNavigate?: () => void;
}

function SidebarContent({ expanded, onNavigate }: SidebarContentProps): React.JSX.Element {
  return (
    <div className="flex h-full min-h-0 flex-col [--ring:var(--sidebar-ring)]">
      <div className={cx('flex h-14 shrink-0 items-center gap-2.5', expanded ? 'px-4' : 'justify-center')}>
        <Logo className="size-7 shrink-0" />
        <div className={cx('grid min-w-0', !expanded && 'sr-only')}>
          <span className="truncate text-sm leading-5 font-semibold" title={runtimeConfig.productName}>
            {runtimeConfig.productName}
          </span>
          <span className="truncate text-xs leading-4 text-sidebar-muted">Platform View</span>
        </div>
      </div>
      <nav
        aria-label="Main"
        className={cx('min-h-0 flex-1 overflow-y-auto py-2', expanded ? 'px-2' : 'px-1.5')}
      >
        <ul className="grid gap-0.5">
          {sidebarEntries.map((entry) => (
            <li key={entry.to}>
              <SidebarLink entry={entry} expanded={expanded} onNavigate={onNavigate} />
            </li>
          ))}
        </ul>
      </nav>
      <div className={cx('shrink-0 border-t border-sidebar-border py-2', expanded ? 'px-2' : 'px-1.5')}>
        <UserMenu expanded={expanded} onNavigate={onNavigate} />
      </div>
    </div>
  );
}

interface SidebarLinkProps {
  entry: (typeof sidebarEntries)[number];
  expanded: boolean;
  onNavigate: (() => void) | undefined;
}

function SidebarLink({ entry, expanded, onNavigate }: SidebarLinkProps): React.JSX.Element {
  const Icon = entry.icon;
  return (
    <Link
      to={entry.to}
      onClick={onNavigate}
      activeOptions={{ includeSearch: false }}
      {...(expanded ? {} : tooltipProps(entry.label, 'right'))}
      className={cx(
        'group relative flex h-9 items-center gap-3 rounded-md text-sm text-sidebar-muted -outline-offset-2',
        'hover:bg-sidebar-hover hover:text-sidebar-foreground',
        'aria-[current=page]:bg-sidebar-active aria-[current=page]:font-medium aria-[current=page]:text-sidebar-foreground',
        expanded ? 'px-3' : 'justify-center',
      )}
    >
      <span className="absolute inset-y-2 left-0 w-0.5 rounded-full group-aria-[current=page]:bg-accent" />
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className={expanded ? 'truncate' : 'sr-only'}>{entry.label}</span>
    </Link>
  );
}
