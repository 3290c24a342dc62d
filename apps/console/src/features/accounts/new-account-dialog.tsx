/** The dialog for a new account. */
import type { AccountType } from '@lanternrock/contract/account-types';
import { type NewAccountInput, newAccountSchema } from '@lanternrock/contract/accounts';
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { accountsKey } from './accounts-list.ts';
import { ApiError, errorMessage } from '../../api/errors.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { parseUrlState } from '../../shared/url-state.ts';
import { AccountFields } from './account-fields.tsx';
import { createAccount, signedOutCode } from './accounts-queries.ts';
import { accountsSearchParams } from './accounts-search-params.ts';
import { accountText } from './account-text.ts';
import { SimilarAccounts } from './similar-accounts.tsx';

const text = accountText.dialog;
const toastText = accountText.toast;

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
  returnFocus: RefObject<HTMLElement | null>;
  onCreated: (name: string) => void;
  /** `confirmed`: closes without asking about unsaved input. */
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
        ...accountText.discard,
        staysOpen: (search) => parseUrlState(accountsSearchParams, search).new === true,
      }}
    >
      {(form) => (
        <AccountFields form={form} nameHelp={<SimilarAccounts control={form.control} rows={props.rows} />} />
      )}
    </FormDialog>
  );
}
