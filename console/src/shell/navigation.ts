/** The sidebar's eight entries, in the specification's order. New screens are reached elsewhere. */
import {
  Bell,
  Building2,
  ChartColumn,
  FolderOpen,
  type LucideIcon,
  Palette,
  ScrollText,
  ShieldCheck,
  Tags,
} from 'lucide-react';

interface NavigationEntry {
  readonly label: string;
  readonly to:
    | '/admin/analytics'
    | '/admin/accounts'
    | '/admin/platform-admins'
    | '/admin/subtypes'
    | '/admin/repository'
    | '/admin/styleguide'
    | '/admin/notifications'
    | '/admin/logs';
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
