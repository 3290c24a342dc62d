/**
 * Entries of the screens for administrators in the user menu and the command palette, which load after the sidebar.
 */
import type { Feature } from '@lanternrock/contract/runtime';
import ClipboardList from 'lucide-react/icons/clipboard-list';
import History from 'lucide-react/icons/history';
import { hasFeature } from '../api/runtime-config.ts';
import { useIsPlatformAdmin } from '../session/use-session.tsx';
import type { NavigationEntry } from './navigation.ts';

const entries: readonly (NavigationEntry & { readonly feature: Feature })[] = [
  {
    label: 'Activity',
    to: '/admin/activity',
    icon: History,
    keywords: 'audit log history changes who',
    feature: 'activity',
  },
  {
    label: 'Handover',
    to: '/admin/handover',
    icon: ClipboardList,
    keywords: 'changes since last visit news print sheet',
    feature: 'handover',
  },
];

/** Returns the entries of this backend; none for other users. */
export const useAdministratorEntries = (): readonly NavigationEntry[] => {
  const { state } = useIsPlatformAdmin();
  return state === 'yes' ? entries.filter(({ feature }) => hasFeature(feature)) : [];
};
