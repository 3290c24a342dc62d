/** The dialog for a new account. */
import { zodResolver } from '@hookform/resolvers/zod';
import { type AccountType, accountTypes } from '@lanternrock/contract/account-types';
import { type NewAccount, type NewAccountInput, newAccountSchema } from '@lanternrock/contract/accounts';
import type { AccountRow } from '@lanternrock/contract/rows';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form';
import { accountsKey } from './accounts-list.ts';
import { errorMessage } from '../../api/errors.ts';
import { CloseGuard } from '../../forms/close-guard.tsx';
import { Dialog, FormActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { toast } from '../../ui/toast.ts';
import { useSingleFlight } from '../../forms/use-single-flight.ts';
import { createAccount, SignedOutError } from './accounts-queries.ts';
import { validateAccountsSearch } from './accounts-search-params.ts';
import { accountsText } from './accounts-text.ts';
import { accountText } from './account-text.ts';
import { IdempotencyKeys } from '../../forms/idempotency-keys.ts';
import { SimilarAccounts } from './similar-accounts.tsx';

const text = accountText.dialog;

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
  const { open, onClose, returnFocus } = props;
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={open}
      title={text.title}
      description={text.description}
      finalFocus={returnFocus}
      onOpenChange={(next) => {
        if (!next && !busy) onClose(false);
      }}
    >
      {/* The content unmounts when the dialog closes, which discards the input. */}
      <AccountForm {...props} onBusyChange={setBusy} />
    </Dialog>
  );
}

const emptyForm: NewAccountInput = {
  name: '',
  // No type is selected initially. The schema rejects it with the message for a missing type.
  account_type: '' as AccountType,
  address: '',
  city: '',
  state: '',
  zip_code: '',
};

/** Creates the account. After an error, the form keeps its input. */
const useCreateAccount = (props: NewAccountDialogProps & { onBusyChange: (busy: boolean) => void }) => {
  const client = useQueryClient();
  const [keys] = useState(() => new IdempotencyKeys());
  return useMutation({
    mutationFn: (account: NewAccount) => createAccount(account, keys.keyFor(account)),
    onMutate: () => props.onBusyChange(true),
    onSettled: () => props.onBusyChange(false),
    onSuccess: (_, account) => {
      toast({
        action: 'create-account',
        title: accountText.toast.created,
        description: accountText.toast.createdDescription(account.name),
      });
      props.onCreated(account.name);
      props.onClose(true);
      void client.invalidateQueries({ queryKey: accountsKey });
    },
    onError: (error) => {
      const { authRequired, authRequiredDescription, createFailed } = accountText.toast;
      const texts =
        error instanceof SignedOutError
          ? { title: authRequired, description: authRequiredDescription }
          : { title: createFailed, description: errorMessage(error) };
      toast({ action: 'create-account', ...texts, variant: 'destructive' });
    },
  });
};

function AccountForm(
  props: NewAccountDialogProps & { onBusyChange: (busy: boolean) => void },
): React.JSX.Element {
  const form = useForm({ resolver: zodResolver(newAccountSchema), defaultValues: emptyForm });
  const { errors, isDirty } = form.formState;
  const name = useWatch({ control: form.control, name: 'name' });
  const creation = useCreateAccount(props);
  const once = useSingleFlight();
  const submit = form.handleSubmit((account) => once(() => creation.mutateAsync(account)));
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <Field
        label={text.name}
        error={errors.name?.message}
        helpText={<SimilarAccounts name={name} rows={props.rows} />}
        render={(control) => <Input {...control} autoComplete="off" {...form.register('name')} />}
      />
      <Field
        label={text.type}
        error={errors.account_type?.message}
        render={(control) => (
          <Select
            {...control}
            placeholder={text.typePlaceholder}
            options={accountTypes.map((type) => ({ value: type, label: accountsText.types[type] }))}
            {...form.register('account_type')}
          />
        )}
      />
      <PlainField form={form} name="address" label={text.address} />
      <div className="grid gap-4 sm:grid-cols-3">
        <PlainField form={form} name="city" label={text.city} />
        <PlainField form={form} name="state" label={text.state} />
        <PlainField form={form} name="zip_code" label={text.zipCode} />
      </div>
      <FormActions
        cancelLabel={text.cancel}
        onCancel={() => props.onClose(false)}
        submitLabel={text.submit}
        pending={creation.isPending}
        pendingLabel={text.submitting}
      />
      <CloseGuard
        dirty={isDirty && props.open}
        staysOpen={(search) => validateAccountsSearch(search).new === true}
        title={accountText.discard.title}
        description={accountText.discard.description}
        confirmLabel={accountText.discard.confirm}
        cancelLabel={accountText.discard.cancel}
      />
    </form>
  );
}

interface PlainFieldProps {
  form: UseFormReturn<NewAccountInput, unknown, NewAccount>;
  name: 'address' | 'city' | 'state' | 'zip_code';
  label: string;
}

function PlainField({ form, name, label }: PlainFieldProps): React.JSX.Element {
  return (
    <Field
      label={label}
      error={form.formState.errors[name]?.message}
      render={(control) => <Input {...control} autoComplete="off" {...form.register(name)} />}
    />
  );
}
