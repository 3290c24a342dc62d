/**
 * The help text below the name of a new account if similar accounts exist. It does not prevent the creation.
 */
import { accountLimits, type NewAccount, type NewAccountInput } from '@lanternrock/contract/accounts';
import { slugFromName } from '@lanternrock/contract/slug';
import type { AccountRow } from '@lanternrock/contract/rows';
import type { SimilarAccount } from '@lanternrock/contract/similar-accounts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { useDebouncedValue } from '../../ui/use-debounced-value.ts';
import { findSimilarRows } from './account-filter.ts';
import { similarAccountsQuery, slugQuery } from './accounts-queries.ts';
import { accountText } from './account-text.ts';

const text = accountText.dialog;

interface SimilarAccountsProps {
  control: Control<NewAccountInput, unknown, NewAccount>;
  /** Every account; undefined if the list has not loaded all accounts, so the service is queried. */
  rows: readonly AccountRow[] | undefined;
}

const debounceMs = 300;
const maxShown = 3;
/** Shorter names are similar to many. */
const minLength = 3;

export function SimilarAccounts({ control, rows }: SimilarAccountsProps): React.ReactNode {
  const name = useDebouncedValue(useWatch({ control, name: 'name' }).trim(), debounceMs);
  const accounts = useSimilarAccounts(name, rows).slice(0, maxShown);
  return (
    <output>
      {accounts.length > 0 && text.similar(accounts.length)}
      {accounts.map((account, index) => (
        <Fragment key={account.id}>
          {index > 0 && ', '}
          {/* In another tab, so that the input stays. */}
          <Link
            to="/admin/accounts"
            search={{ account: account.id }}
            target="_blank"
            className="text-primary underline underline-offset-4"
          >
            <bdi translate="no">{account.name}</bdi>
            <span className="sr-only">{text.newTab}</span>
          </Link>
          {account.city !== null && (
            <>
              {' '}
              (<bdi translate="no">{account.city}</bdi>)
            </>
          )}
        </Fragment>
      ))}
    </output>
  );
}

const noAccounts: readonly SimilarAccount[] = [];

function useSimilarAccounts(name: string, rows: SimilarAccountsProps['rows']): readonly SimilarAccount[] {
  const searchesService = hasFeature('similar-accounts');
  const isSearchable = name.length >= minLength && name.length <= accountLimits.name;
  const similar = useQuery({
    ...similarAccountsQuery(name),
    ...enabledIf(searchesService && isSearchable),
  });
  const slug = slugFromName(name);
  const sameSlug = useQuery({
    ...slugQuery(slug),
    ...enabledIf(!searchesService && rows === undefined && slug !== ''),
  });
  if (searchesService) return isSearchable ? (similar.data ?? noAccounts) : noAccounts;
  return findSimilarRows(slug, rows ?? sameSlug.data ?? []);
}
