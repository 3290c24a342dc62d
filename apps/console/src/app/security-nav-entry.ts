/** The screen about oneself, reached from the person's menu and the palette; both load later than the sidebar. */
import KeyRound from 'lucide-react/icons/key-round';
import type { NavigationEntry } from './navigation.ts';

export const securityNavEntry: NavigationEntry = {
  label: 'Security',
  to: '/admin/me/security',
  icon: KeyRound,
  keywords: 'profile name password passkey factor',
};
