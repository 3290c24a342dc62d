/** The editable values of an account, as stored and as in the form. */
import {
  accountFields,
  type AccountField,
  type NewAccount,
  type NewAccountInput,
} from '@lanternrock/contract/accounts';
import type { AccountRow } from '@lanternrock/contract/rows';

/** Returns the values of the form for stored ones, in which an empty text is null. */
export const toFormValues = (values: NewAccount): NewAccountInput => ({
  name: values.name,
  account_type: values.account_type,
  address: values.address ?? '',
  city: values.city ?? '',
  state: values.state ?? '',
  zip_code: values.zip_code ?? '',
});

/** Returns the editable values of a row. */
export const toAccountValues = (row: AccountRow): NewAccount => ({
  name: row.name,
  account_type: row.account_type,
  address: row.address,
  city: row.city,
  state: row.state,
  zip_code: row.zip_code,
});

export const differingFields = (a: NewAccount, b: NewAccount): readonly AccountField[] =>
  accountFields.filter((name) => (a[name] ?? '') !== (b[name] ?? ''));

interface ConcurrentEdits {
  /** What both edits started from. */
  readonly basis: NewAccount;
  readonly mine: NewAccount;
  readonly theirs: NewAccount;
}

/** Returns the fields that both edits changed, to different values. */
export const conflictingFields = ({ basis, mine, theirs }: ConcurrentEdits): readonly AccountField[] => {
  const changedByThem = differingFields(basis, theirs);
  const differing = differingFields(mine, theirs);
  return differingFields(basis, mine).filter(
    (name) => changedByThem.includes(name) && differing.includes(name),
  );
};

/** Returns the values with the changes of both edits. Of a field that both changed, it is that of `mine`. */
export const mergeEdits = ({ basis, mine, theirs }: ConcurrentEdits): NewAccount => {
  const changed = differingFields(basis, mine);
  return { ...theirs, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) };
};
