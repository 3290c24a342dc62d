/** Commands of the palette: screens, actions and themes. `use-account-search.ts` finds the accounts. */
import type { SearchWord } from '@lanternrock/contract/text-search';
import { useNavigate } from '@tanstack/react-router';
import FileUp from 'lucide-react/icons/file-up';
import Keyboard from 'lucide-react/icons/keyboard';
import LogOut from 'lucide-react/icons/log-out';
import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Plus from 'lucide-react/icons/plus';
import Sun from 'lucide-react/icons/sun';
import ShieldAlert from 'lucide-react/icons/shield-exclamation-point';
import UserPlus from 'lucide-react/icons/user-plus';
import FileUser from 'lucide-react/icons/file-user';
import { hasFeature } from '../../api/runtime-config.ts';
import { useIsAdministrator } from '../../session/use-session.tsx';
import { requestSignOut } from '../../session/sign-out.ts';
import { setTheme, useThemePreference } from '../../ui/theme-store.ts';
import type { CommandGroup, CommandItem } from '../../ui/command-list.tsx';
import { shortcutText } from '../../ui/shortcut-keys.ts';
import { matchesCommand } from './command-match.ts';
import { securityPath, sidebarEntries, useUserMenuEntries } from '../navigation.ts';
import { screenKeywords } from './screen-keywords.ts';

interface Command extends CommandItem {
  /** Additional search words. */
  readonly keywords?: string;
}

const themes = [
  { id: 'light', label: 'Light theme', icon: <Sun /> },
  { id: 'dark', label: 'Dark theme', icon: <Moon /> },
  { id: 'system', label: 'System theme', icon: <Monitor /> },
] as const;

const useScreens = (): readonly Command[] => {
  const navigate = useNavigate();
  const entries = [...sidebarEntries, ...useUserMenuEntries()];
  return entries.map(({ to, label, icon: Icon }) => ({
    id: to,
    label,
    keywords: `go to open screen ${screenKeywords[to] ?? ''}`,
    detail: to === securityPath ? 'Your sign-in and sessions' : undefined,
    icon: <Icon />,
    movesFocus: true,
    run: () => void navigate({ to }),
  }));
};

const useImports = (): readonly Command[] => {
  const navigate = useNavigate();
  return [
    {
      id: 'import-accounts',
      label: 'Import Accounts',
      keywords: 'csv file upload',
      icon: <FileUp />,
      movesFocus: true,
      run: () => void navigate({ to: '/admin/accounts/import' }),
    },
    {
      id: 'import-contacts',
      label: 'Import Contacts',
      keywords: 'csv file upload phone numbers',
      icon: <FileUp />,
      movesFocus: true,
      run: () => void navigate({ to: '/admin/accounts/import-contacts' }),
    },
  ];
};

const useActions = (onShortcuts: () => void): readonly Command[] => {
  const navigate = useNavigate();
  const { state } = useIsAdministrator();
  const theme = useThemePreference();
  const imports = useImports();
  const addAccount: Command = {
    id: 'add-account',
    label: 'Add Account',
    keywords: 'new create customer',
    icon: <Plus />,
    movesFocus: true,
    run: () => void navigate({ to: '/admin/accounts', search: (previous) => ({ ...previous, new: true }) }),
  };
  const invite: Command = {
    id: 'invite',
    label: 'Invite Admin',
    keywords: 'new administrator send invitation',
    icon: <UserPlus />,
    movesFocus: true,
    run: () => void navigate({ to: '/admin/platform-admins', search: { invite: true } }),
  };
  const inviteList: Command = {
    id: 'invite-list',
    label: 'Invite from a List',
    keywords: 'administrators csv file import invitations',
    icon: <FileUser />,
    movesFocus: true,
    run: () => void navigate({ to: '/admin/platform-admins/invite-list' }),
  };
  const requirement: Command = {
    id: 'second-factor-requirement',
    label: 'Second Factor for Administrators',
    keywords: 'require requirement two-factor authentication grace period',
    icon: <ShieldAlert />,
    movesFocus: true,
    run: () => void navigate({ to: '/admin/platform-admins', search: { requirement: true } }),
  };
  const forAdministrators = hasFeature('extensions')
    ? [...imports, invite, inviteList, requirement]
    : [invite];
  return [
    // Other backends can let users without the role create accounts.
    ...(state === 'no' && hasFeature('extensions') ? [] : [addAccount]),
    // The guards of the screens would deny access.
    ...(state === 'no' ? [] : forAdministrators),
    ...themes.map((each) => ({
      ...each,
      keywords: 'colour color appearance mode',
      detail: theme === each.id ? 'current' : undefined,
      run: () => setTheme(each.id),
    })),
    {
      id: 'shortcuts',
      label: 'Keyboard Shortcuts',
      keywords: 'help keys',
      icon: <Keyboard />,
      keys: shortcutText('/'),
      movesFocus: true,
      run: onShortcuts,
    },
    {
      id: 'sign-out',
      label: 'Sign Out',
      keywords: 'log out leave all devices everywhere',
      icon: <LogOut />,
      movesFocus: true,
      run: () => requestSignOut(),
    },
    {
      id: 'sign-out-here',
      label: 'End This Session',
      keywords: 'log out leave session browser',
      icon: <LogOut />,
      movesFocus: true,
      run: () => requestSignOut('local'),
    },
  ];
};

/**
 * Returns the commands that match the words, or all without words. Omits empty groups. Commands whose label matches come before
 * those that only match by their keywords, and so do their groups: Enter runs the first one.
 */
export const useCommands = (
  words: readonly SearchWord[],
  onShortcuts: () => void,
): readonly CommandGroup[] => {
  const groups = [
    { value: 'Go to', items: useScreens() },
    { value: 'Actions', items: useActions(onShortcuts) },
  ];
  const isNamed = ({ label }: Command): boolean => matchesCommand(words, label);
  return groups
    .map(({ value, items }) => ({
      value,
      items: namedFirst(
        items.filter((item) => matchesCommand(words, item.label, item.keywords)),
        isNamed,
      ),
    }))
    .filter((group) => group.items.length > 0)
    .toSorted((one, other) => Number(other.items.some(isNamed)) - Number(one.items.some(isNamed)));
};

const namedFirst = (items: readonly Command[], isNamed: (item: Command) => boolean): readonly Command[] =>
  items.toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)));
