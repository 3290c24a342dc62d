/** Entry of the security screen for the user menu and the command palette, which load after the sidebar. */
import KeyRound from 'lucide-react/icons/key-round';
import type { NavigationEntry } from './navigation.ts';

export const securityNavEntry: NavigationEntry = {
  label: 'Security',
  to: '/admin/me/security',
  icon: KeyRound,
  keywords: 'profile name password passkey factor',
};
