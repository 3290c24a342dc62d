/** Command palette (Ctrl/Cmd+K): opens screens, finds accounts and runs actions. */
import { normalizeSearchText, toSearchWords } from '@lanternrock/contract/text-search';
import History from 'lucide-react/icons/rotate-ccw-clock';
import { useState } from 'react';
import { recentSearches } from '../../session/recent-lists.ts';
import { useUser } from '../../session/use-session.tsx';
import { type CommandGroup, CommandList } from '../../ui/command-list.tsx';
import { useAdministratorsGroup } from './use-administrators-group.tsx';
import { useCommands } from './use-commands.tsx';
import {
  useFoundAccountsGroup,
  usePanelAccountGroup,
  useRecentAccountsGroup,
} from './use-account-groups.tsx';
import { useAccountSearch } from './use-account-search.ts';

interface CommandPaletteProps {
  open: boolean;
  onClose: () => void;
  onShortcuts: () => void;
}

export function CommandPalette({ open, onClose, onShortcuts }: CommandPaletteProps): React.JSX.Element {
  const [text, setText] = useState('');
  // Clear the text on opening and not on closing, so that it stays during the transition.
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setText('');
  }
  const words = toSearchWords(text);
  const showsRecent = open && words.length === 0;
  const recentAccountsGroup = useRecentAccountsGroup(showsRecent);
  const recentSearchesGroup = useRecentSearchesGroup(showsRecent, setText);
  const panelAccountGroup = usePanelAccountGroup(words);
  const commands = useCommands(words, onShortcuts);
  const searchText = words.length === 0 ? '' : normalizeSearchText(text);
  const foundAccounts = useAccountSearch(searchText);
  const foundAccountsGroup = useFoundAccountsGroup(foundAccounts.rows, searchText);
  const administrators = useAdministratorsGroup(words);
  return (
    <CommandList
      open={open}
      onClose={onClose}
      label="Search or run a command"
      placeholder="Search accounts, screens and actions..."
      text={text}
      onTextChange={setText}
      groups={[
        ...recentAccountsGroup,
        ...panelAccountGroup,
        ...recentSearchesGroup,
        ...commands,
        ...foundAccountsGroup,
        ...administrators.groups,
      ]}
      status={formatStatus(foundAccounts, administrators)}
      emptyText={formatEmptyText([foundAccounts, administrators])}
      footer="Arrow keys select, Enter runs, Escape closes"
    />
  );
}

interface Search {
  readonly searching: boolean;
  readonly failed: boolean;
}

const formatFailure = (what: string): string => `${what} could not be searched. The list may be incomplete.`;

const formatStatus = (accounts: Search, administrators: Search): string => {
  if (accounts.failed && administrators.failed) return formatFailure('Accounts and administrators');
  if (accounts.failed) return formatFailure('Accounts');
  if (administrators.failed) return formatFailure('Administrators');
  if (accounts.searching) return 'Searching accounts...';
  return administrators.searching ? 'Searching administrators...' : '';
};

/** After a failed search, only its status is shown, because there may be results. */
const formatEmptyText = (searches: readonly Search[]): string => {
  if (searches.some(({ searching }) => searching)) return 'Searching...';
  return searches.some(({ failed }) => failed) ? '' : 'No results';
};

/** Returns the recent searches. @param shown false for an empty result */
const useRecentSearchesGroup = (
  shown: boolean,
  onChoose: (text: string) => void,
): readonly CommandGroup[] => {
  const userId = useUser()?.id;
  const texts = shown && userId !== undefined ? recentSearches.read(userId) : [];
  if (texts.length === 0) return [];
  const items = texts.map((text) => ({
    id: `recent-${text}`,
    label: text,
    translate: 'no' as const,
    icon: <History />,
    keepsOpen: true,
    run: () => onChoose(text),
  }));
  return [{ value: 'Recent searches', items }];
};
