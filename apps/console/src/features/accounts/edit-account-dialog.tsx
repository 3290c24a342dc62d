/** The dialog that edits an account. */
import { type NewAccount, type NewAccountInput, newAccountSchema } from '@lanternrock/contract/accounts';
import type { AccountRow } from '@lanternrock/contract/rows';
import { slugFromName } from '@lanternrock/contract/slug';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { errorMessage } from '../../api/errors.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { parseUrlState } from '../../shared/url-state.ts';
import { CheckboxField } from '../../ui/checkbox.tsx';
import type { DialogProps } from '../../ui/dialog.tsx';
import { QuotedText } from '../../ui/quoted-text.tsx';
import { AccountConflictChoice } from './account-conflict-choice.tsx';
import {
  type AccountConflict,
  AccountConflictError,
  pendingConflicts,
  type SavedEdit,
  saveAccount,
  showSavedAccount,
  undoEdit,
} from './account-edits.ts';
import { AccountFields } from './account-fields.tsx';
import { accountPanelText } from './account-panel-text.ts';
import { toAccountValues, toFormValues } from './account-values.ts';
import { accountsSearchParams } from './accounts-search-params.ts';

const text = accountPanelText.edit;

interface EditAccountDialogProps {
  open: boolean;
  account: AccountRow;
  finalFocus: DialogProps['finalFocus'];
  /** `confirmed`: closes without a confirmation about unsaved input. */
  onClose: (confirmed: boolean) => void;
  /** Opens the dialog for an account, also from another screen. */
  onReopen: (id: string) => void;
}

interface Editing {
  /** The row that the next save replaces. */
  readonly basis: AccountRow;
  readonly conflict: AccountConflict | undefined;
}

export function EditAccountDialog(props: EditAccountDialogProps): React.JSX.Element {
  const { open, account, onClose, onReopen } = props;
  const client = useQueryClient();
  const [wasOpen, setWasOpen] = useState(false);
  const [{ basis, conflict }, setEditing] = useState<Editing>({ basis: account, conflict: undefined });
  const [derivesSlug, setDerivesSlug] = useState(false);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) {
      // A background refetch does not change what the form started from.
      const pending = pendingConflicts.get(account.id);
      setEditing({ basis: pending?.theirs ?? account, conflict: pending });
      setDerivesSlug(false);
    }
  }
  return (
    <FormDialog<ReturnType<typeof toFormValues>, NewAccount, SavedEdit>
      open={open}
      onClose={(confirmed) => {
        pendingConflicts.delete(account.id);
        onClose(confirmed);
      }}
      title={text.title}
      description={conflict === undefined ? text.description : undefined}
      finalFocus={props.finalFocus}
      schema={newAccountSchema}
      defaults={toFormValues(conflict?.mine ?? toAccountValues(basis))}
      action={`edit-account ${account.id}`}
      repeatable
      closesUnchanged={conflict === undefined && !derivesSlug}
      send={(values, signal) =>
        saveAccount({ basis, values, slug: derivesSlug ? slugFromName(values.name) : basis.slug }, signal)
      }
      done={({ before, saved }) => {
        if (saved.updated_at === basis.updated_at) return undefined;
        showSavedAccount(client, saved);
        return {
          title: text.saved,
          description: text.savedDescription(saved.name),
          // Another user can have made the same change.
          ...(saved !== before && {
            button: {
              label: text.undo,
              onPress: () => void undoEdit({ client, before, saved, onConflict: onReopen }),
            },
          }),
        };
      }}
      failed={(error) => {
        if (!(error instanceof AccountConflictError))
          return { title: text.saveFailed, description: errorMessage(error) };
        setEditing({ basis: error.conflict.theirs, conflict: error.conflict });
        return undefined;
      }}
      cancelLabel={text.cancel}
      submitLabel={text.submit}
      pendingLabel={text.submitting}
      guard={{
        ...text.discard,
        changed: derivesSlug,
        staysOpen: (search) => {
          const next = parseUrlState(accountsSearchParams, search);
          return next.account === account.id && next.action === 'edit';
        },
      }}
    >
      {(form) => (
        <>
          {conflict !== undefined && <AccountConflictChoice form={form} conflict={conflict} />}
          <AccountFields form={form} />
          <SlugChoice
            control={form.control}
            slug={basis.slug}
            checked={derivesSlug}
            onCheckedChange={setDerivesSlug}
          />
        </>
      )}
    </FormDialog>
  );
}

interface SlugChoiceProps {
  control: Control<NewAccountInput, unknown, NewAccount>;
  /** The stored slug. */
  slug: string;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
}

function SlugChoice({ control, slug, checked, onCheckedChange }: SlugChoiceProps): React.JSX.Element {
  const derived = slugFromName(useWatch({ control, name: 'name' }));
  const matches = derived === slug;
  return (
    <CheckboxField
      label={accountPanelText.slug.label}
      help={
        <QuotedText>
          {matches ? accountPanelText.slug.matches(slug) : accountPanelText.slug.help(slug, derived)}
        </QuotedText>
      }
      checked={checked && !matches}
      disabled={matches}
      onCheckedChange={onCheckedChange}
    />
  );
}
