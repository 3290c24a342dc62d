/** The screens in the sidebar, in the user menu and in the command palette. */
import type { NavigateOptions } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import Bell from 'lucide-react/icons/bell';
import Building2 from 'lucide-react/icons/building-complex';
import ChartColumn from 'lucide-react/icons/chart-column';
import ClipboardList from 'lucide-react/icons/clipboard-list';
import FolderOpen from 'lucide-react/icons/folder-open';
import History from 'lucide-react/icons/history';
import KeyRound from 'lucide-react/icons/key-round';
import Palette from 'lucide-react/icons/palette';
import ScrollText from 'lucide-react/icons/scroll-text';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Tags from 'lucide-react/icons/tags';
import { hasFeature } from '../api/runtime-config.ts';
import { useIsAdministrator } from '../session/use-session.tsx';

export interface NavigationEntry {
  readonly label: string;
  readonly to: NonNullable<NavigateOptions['to']>;
  readonly icon: LucideIcon;
}

/** Entries of the sidebar and the command palette. */
export const sidebarEntries: readonly NavigationEntry[] = [
  { label: 'Global Analytics', to: '/admin/analytics', icon: ChartColumn },
  { label: 'Accounts', to: '/admin/accounts', icon: Building2 },
  { label: 'Admins', to: '/admin/platform-admins', icon: ShieldCheck },
  { label: 'Subtypes', to: '/admin/subtypes', icon: Tags },
  { label: 'Repository', to: '/admin/repository', icon: FolderOpen },
  { label: 'Styleguide', to: '/admin/styleguide', icon: Palette },
  { label: 'Notifications', to: '/admin/notifications', icon: Bell },
  { label: 'Logs', to: '/admin/logs', icon: ScrollText },
];

/** Of screens that other backends lack. */
const administratorEntries: readonly NavigationEntry[] = [
  {
    label: 'Activity',
    to: '/admin/activity',
    icon: History,
  },
  {
    label: 'Handover',
    to: '/admin/handover',
    icon: ClipboardList,
  },
];

/** Screen of the current user, in contrast to the second factors of all administrators. */
export const securityPath = '/admin/me/security';

const securityEntry: NavigationEntry = {
  label: 'Security',
  to: securityPath,
  icon: KeyRound,
};

/** Returns the entries of the user menu, which the command palette also has. */
export const useUserMenuEntries = (): readonly NavigationEntry[] => {
  const isAdministrator = useIsAdministrator().state === 'yes';
  return [...(isAdministrator && hasFeature('extensions') ? administratorEntries : []), securityEntry];
};
