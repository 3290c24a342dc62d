/** Shows what another user has saved, next to the input of the form, and lets the user choose per field. */
import { useQuery } from '@tanstack/react-query';
import { accountFields, type AccountField, type NewAccount } from '@lanternrock/contract/accounts';
import { useEffect, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { TimeWithTooltip } from '../../ui/time-with-tooltip.tsx';
import { type AccountConflict, accountDetailsQuery } from './account-edits.ts';
import type { AccountForm } from './account-fields.tsx';
import { accountPanelText } from './account-panel-text.ts';
import { conflictingFields, differingFields, toAccountValues, toFormValues } from './account-values.ts';
import { accountListText } from './account-list-text.ts';
import { QuotedText } from '../../ui/quoted-text.tsx';

const text = accountPanelText.conflict;

interface AccountConflictChoiceProps {
  form: AccountForm;
  conflict: AccountConflict;
}

export function AccountConflictChoice({ form, conflict }: AccountConflictChoiceProps): React.JSX.Element {
  const { basis, mine, theirs } = conflict;
  const notice = useRef<HTMLDivElement>(null);
  const current = useWatch({ control: form.control });
  const versions = { mine: toFormValues(mine), theirs: toFormValues(toAccountValues(theirs)) };
  const use = (version: 'mine' | 'theirs', names: readonly AccountField[]): void => {
    for (const name of names) form.setValue(name, versions[version][name], { shouldDirty: true });
  };
  useEffect(() => {
    // A field that only the other user has changed starts with their value.
    const unchanged = accountFields.filter(
      (name) => !differingFields(mine, toAccountValues(basis)).includes(name),
    );
    for (const name of unchanged) form.setValue(name, toFormValues(toAccountValues(theirs))[name]);
    // Scrolls it into view: the button that was pressed is at the end of the form.
    notice.current?.focus();
  }, [form, basis, mine, theirs]);
  const asked = conflictingFields({ basis: toAccountValues(basis), mine, theirs: toAccountValues(theirs) });
  return (
    <div ref={notice} tabIndex={-1} className="scroll-mt-16 rounded-lg outline-none">
      <Alert title={text.title} role="alert">
        <SavedBy conflict={conflict} />
        {theirs.status !== basis.status && <p>{text.status(theirs.status)}</p>}
        <p className="text-muted">{asked.length === 0 ? text.none : text.help}</p>
        <div className="mt-3 grid gap-3">
          {asked.map((name) => (
            <RadioGroup
              key={name}
              label={accountPanelText.fields[name]}
              value={chosenVersion(current[name], versions.mine[name], versions.theirs[name])}
              options={(['mine', 'theirs'] as const).map((version) => ({
                value: version,
                label: <QuotedText>{text[version](shownValue(name, versions[version][name]))}</QuotedText>,
              }))}
              onValueChange={(version) => use(version === 'mine' ? 'mine' : 'theirs', [name])}
            />
          ))}
        </div>
        {asked.length > 1 && (
          <div className="mt-3 flex flex-wrap gap-2">
            <Button variant="outline" size="sm" onClick={() => use('mine', asked)}>
              {text.allMine}
            </Button>
            <Button variant="outline" size="sm" onClick={() => use('theirs', asked)}>
              {text.allTheirs}
            </Button>
          </div>
        )}
      </Alert>
    </div>
  );
}

/** Returns '' if the field has another value than both versions. */
const chosenVersion = (value: string | undefined, mine: string, theirs: string): string => {
  if (value === mine) return 'mine';
  return value === theirs ? 'theirs' : '';
};

const shownValue = (name: AccountField, value: string): string => {
  if (value === '') return text.empty;
  return name === 'account_type' ? accountListText.types[value as NewAccount['account_type']] : value;
};

function SavedBy({ conflict }: { conflict: AccountConflict }): React.JSX.Element {
  const { data } = useQuery(accountDetailsQuery(conflict.theirs));
  const name = data?.saved_by;
  return (
    <p>
      <QuotedText>{typeof name === 'string' ? text.savedBy(name) : text.saved}</QuotedText>{' '}
      <TimeWithTooltip value={conflict.theirs.updated_at} relative="past" />
    </p>
  );
}
