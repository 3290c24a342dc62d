/** A search with few results offers to search cities and contacts as well. */
import { hasFeature } from '../../api/runtime-config.ts';
import { Button } from '../../ui/button.tsx';
import { focusList } from '../../ui/focus-list.ts';
import type { AccountFilter } from './account-filter.ts';
import { accountListText as text } from './account-list-text.ts';
import type { AccountsList } from './use-accounts-list.ts';

/** Maximum number of results of a search that has the offer. */
const maxFewResults = 3;

/** Returns true if a search has few results and can find more in cities and contacts. */
export const hasFewResults = (
  filter: AccountFilter,
  { total, loading, incomplete, error }: Pick<AccountsList, 'total' | 'loading' | 'incomplete' | 'error'>,
): boolean =>
  filter.text !== '' &&
  filter.wide === undefined &&
  !loading &&
  !incomplete &&
  error === null &&
  total <= maxFewResults;

/** What a wide search includes besides the names. */
export const widePlaces = () => (hasFeature('extensions') ? 'cities and contacts' : 'cities');

interface WideSearchProps {
  onPress: () => void;
}

/** Below the results, because there it moves nothing while the user types. */
export function WideSearchOffer({ onPress }: WideSearchProps): React.JSX.Element {
  return (
    <Button
      variant="secondary"
      size="sm"
      onClick={({ currentTarget }) => {
        focusList(currentTarget);
        onPress();
      }}
    >
      {text.searchWide(widePlaces())}
    </Button>
  );
}

/** Above the list, because the results of a wide search can be many. */
export function WideSearchNote({ onPress }: WideSearchProps): React.JSX.Element {
  return (
    <p className="-mt-2 flex flex-wrap items-center gap-x-1 text-sm text-muted print:hidden">
      {text.isWide(widePlaces())}
      <Button
        variant="link"
        size="inline"
        onClick={({ currentTarget }) => {
          focusList(currentTarget);
          onPress();
        }}
      >
        {text.searchNames}
      </Button>
    </p>
  );
}
