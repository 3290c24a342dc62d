/**
 * The help text below the name of a new account if similar accounts exist. It does not prevent the creation.
 */
import type { NewAccount, NewAccountInput } from '@lanternrock/contract/accounts';
import { slugFromName } from '@lanternrock/contract/slug';
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQuery } from '@tanstack/react-query';
import { type Control, useWatch } from 'react-hook-form';
import { enabledIf } from '../../api/enabled-if.ts';
import { useDebouncedValue } from '../../ui/use-debounced-value.ts';
import { findSimilarNames } from './account-filter.ts';
import { slugQuery } from './accounts-queries.ts';
import { accountText } from './account-text.ts';

interface SimilarAccountsProps {
  control: Control<NewAccountInput, unknown, NewAccount>;
  /** Every account; undefined if the list has not loaded all accounts, so the service is queried. */
  rows: readonly AccountRow[] | undefined;
}

export function SimilarAccounts({ control, rows }: SimilarAccountsProps): React.ReactNode {
  const slug = useDebouncedValue(slugFromName(useWatch({ control, name: 'name' })), 300);
  const query = useQuery({ ...slugQuery(slug), ...enabledIf(rows === undefined && slug !== '') });
  const names = findSimilarNames(slug, rows ?? query.data ?? []).slice(0, 3);
  return <output>{names.length > 0 && accountText.dialog.similar(names)}</output>;
}
