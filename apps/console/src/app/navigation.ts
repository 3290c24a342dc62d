/** Entries of the sidebar. */
import type { LucideIcon } from 'lucide-react';
import Bell from 'lucide-react/icons/bell';
import Building2 from 'lucide-react/icons/building-complex';
import ChartColumn from 'lucide-react/icons/chart-column';
import FolderOpen from 'lucide-react/icons/folder-open';
import Palette from 'lucide-react/icons/palette';
import ScrollText from 'lucide-react/icons/scroll-text';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Tags from 'lucide-react/icons/tags';

/** A screen in menus and in the command palette. */
export interface NavigationEntry {
  readonly label: string;
  /** Additional search words in the command palette. */
  readonly keywords?: string;
  readonly to:
    | '/admin/analytics'
    | '/admin/accounts'
    | '/admin/platform-admins'
    | '/admin/subtypes'
    | '/admin/repository'
    | '/admin/styleguide'
    | '/admin/notifications'
    | '/admin/logs'
    | '/admin/me/security'
    | '/admin/handover'
    | '/admin/activity';
  readonly icon: LucideIcon;
}

export const navigationEntries: readonly NavigationEntry[] = [
  { label: 'Global Analytics', to: '/admin/analytics', icon: ChartColumn },
  { label: 'Accounts', to: '/admin/accounts', icon: Building2 },
  { label: 'Admins', to: '/admin/platform-admins', icon: ShieldCheck },
  { label: 'Subtypes', to: '/admin/subtypes', icon: Tags },
  { label: 'Repository', to: '/admin/repository', icon: FolderOpen },
  { label: 'Styleguide', to: '/admin/styleguide', icon: Palette },
  { label: 'Notifications', to: '/admin/notifications', icon: Bell },
  { label: 'Logs', to: '/admin/logs', icon: ScrollText },
];
