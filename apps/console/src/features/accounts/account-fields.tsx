/** The fields of an account, in the dialogs that create and edit one. */
import { accountTypes } from '@lanternrock/contract/account-types';
import type { NewAccount, NewAccountInput } from '@lanternrock/contract/accounts';
import type { UseFormReturn } from 'react-hook-form';
import { FormField } from '../../forms/form-field.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { accountListText } from './account-list-text.ts';
import { accountPanelText } from './account-panel-text.ts';

const text = accountPanelText.fields;

export type AccountForm = UseFormReturn<NewAccountInput, unknown, NewAccount>;

interface AccountFieldsProps {
  form: AccountForm;
}

export function AccountFields({ form }: AccountFieldsProps): React.JSX.Element {
  return (
    <>
      <FormField form={form} name="name" label={text.name} />
      <Field
        label={text.account_type}
        error={form.formState.errors.account_type?.message}
        render={(control) => (
          <Select
            {...control}
            placeholder={accountPanelText.dialog.typePlaceholder}
            options={accountTypes.map((type) => ({ value: type, label: accountListText.types[type] }))}
            {...form.register('account_type')}
          />
        )}
      />
      <FormField form={form} name="address" label={text.address} />
      <div className="grid gap-4 sm:grid-cols-3">
        <FormField form={form} name="city" label={text.city} />
        <FormField form={form} name="state" label={text.state} />
        <FormField form={form} name="zip_code" label={text.zip_code} />
      </div>
    </>
  );
}
