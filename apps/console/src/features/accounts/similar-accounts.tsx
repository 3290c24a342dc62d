/** A hint under the name of a new account: one like it exists. Never in the way of creating it. */
import { slugFromName } from '@lanternrock/contract/slug';
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQuery } from '@tanstack/react-query';
import { useDebouncedValue } from '../../ui/use-debounced-value.ts';
import { findSimilarNames } from './account-filter.ts';
import { slugQuery } from './accounts-queries.ts';
import { accountText } from './account-text.ts';

interface SimilarAccountsProps {
  /** As typed so far. */
  name: string;
  /** Every account; undefined when the service has to be asked. */
  rows: readonly AccountRow[] | undefined;
}

export function SimilarAccounts({ name, rows }: SimilarAccountsProps): React.ReactNode {
  const slug = useDebouncedValue(slugFromName(name), 300);
  const asked = useQuery({ ...slugQuery(slug), enabled: rows === undefined && slug !== '' });
  const names = findSimilarNames(slug, rows ?? asked.data ?? []).slice(0, 3);
  return <output>{names.length > 0 && accountText.dialog.similar(names)}</output>;
}
