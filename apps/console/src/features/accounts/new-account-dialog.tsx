/** The dialog for a new account. It names similar accounts, which do not prevent the creation. */
import type { AccountType } from '@lanternrock/contract/account-types';
import {
  accountLimits,
  type NewAccount,
  type NewAccountInput,
  newAccountSchema,
} from '@lanternrock/contract/accounts';
import type { AccountRow } from '@lanternrock/contract/rows';
import type { SimilarAccount } from '@lanternrock/contract/similar-accounts';
import { slugFromName } from '@lanternrock/contract/slug';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { ApiError, errorMessage } from '../../api/errors.ts';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { parseUrlState } from '../../shared/url-state.ts';
import { useIsAdministrator } from '../../session/use-session.tsx';
import { Alert } from '../../ui/alert.tsx';
import { useDebouncedValue } from '../../ui/use-debounced-value.ts';
import { AccountFields } from './account-fields.tsx';
import { findSimilarRows } from './account-filter.ts';
import { accountPanelText } from './account-panel-text.ts';
import { accountsKey } from './accounts-list.ts';
import { createAccount, signedOutCode, similarAccountsQuery, slugQuery } from './accounts-queries.ts';
import { accountsSearchParams } from './accounts-search-params.ts';

const text = accountPanelText.dialog;
const toastText = accountPanelText.toast;

const emptyForm: NewAccountInput = {
  name: '',
  // No type is selected initially. The schema rejects it with the message for a missing type.
  account_type: '' as AccountType,
  address: '',
  city: '',
  state: '',
  zip_code: '',
};

interface NewAccountDialogProps {
  open: boolean;
  /** Every account, if the list has loaded all of them. */
  rows: readonly AccountRow[] | undefined;
  /** Returns the element that gets the focus after the dialog has closed. */
  returnFocus: () => HTMLElement | null;
  onCreated: (name: string) => void;
  /** `confirmed`: closes without a confirmation about unsaved input. */
  onClose: (confirmed: boolean) => void;
}

export function NewAccountDialog(props: NewAccountDialogProps): React.JSX.Element {
  const client = useQueryClient();
  return (
    <FormDialog
      open={props.open}
      onClose={props.onClose}
      title={text.title}
      description={text.description}
      finalFocus={props.returnFocus}
      schema={newAccountSchema}
      defaults={emptyForm}
      action="create-account"
      repeatable
      send={createAccount}
      done={(_, { name }) => {
        props.onCreated(name);
        return { title: toastText.created, description: toastText.createdDescription(name) };
      }}
      failed={(error) =>
        error instanceof ApiError && error.code === signedOutCode
          ? { title: toastText.authRequired, description: toastText.authRequiredDescription }
          : { title: toastText.createFailed, description: errorMessage(error) }
      }
      // Also after an error or a cancellation, because the service may have created it.
      onSettled={() => void client.invalidateQueries({ queryKey: accountsKey })}
      cancelLabel={text.cancel}
      submitLabel={text.submit}
      pendingLabel={text.submitting}
      guard={{
        ...accountPanelText.discard,
        staysOpen: (search) => parseUrlState(accountsSearchParams, search).new === true,
      }}
    >
      {(form) => (
        <>
          <RoleNotice />
          <AccountFields form={form} />
          {/* Below the fields: its links are not between the name and the type for the Tab key. */}
          <SimilarAccounts control={form.control} rows={props.rows} />
        </>
      )}
    </FormDialog>
  );
}

/** For a user without the role, whom the Lanternrock service rejects: before the input, not only after it. */
function RoleNotice(): React.ReactNode {
  const { state } = useIsAdministrator();
  if (state !== 'no' || !hasFeature('extensions')) return null;
  return (
    <Alert title={text.noRole} variant="warning">
      {text.noRoleHelp}
    </Alert>
  );
}

interface SimilarAccountsProps {
  control: Control<NewAccountInput, unknown, NewAccount>;
  /** Every account; undefined if the list has not loaded all accounts, so the service is queried. */
  rows: readonly AccountRow[] | undefined;
}

const debounceMs = 300;
const maxShown = 3;
/** Shorter names are similar to many. */
const minLength = 3;

function SimilarAccounts({ control, rows }: SimilarAccountsProps): React.ReactNode {
  const name = useDebouncedValue(useWatch({ control, name: 'name' }).trim(), debounceMs);
  const accounts = useSimilarAccounts(name, rows).slice(0, maxShown);
  return (
    <output className="rounded-md bg-warning-subtle px-3 py-2 text-sm wrap-anywhere empty:sr-only">
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
  const searchesService = hasFeature('extensions');
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
