/** The choice to derive the slug of an account again from its name. */
import type { NewAccount, NewAccountInput } from '@lanternrock/contract/accounts';
import { slugFromName } from '@lanternrock/contract/slug';
import { useId } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { Checkbox } from '../../ui/checkbox.tsx';
import { accountText } from './account-text.ts';
import { QuotedText } from '../../ui/quoted-text.tsx';

const text = accountText.slug;

interface SlugChoiceProps {
  control: Control<NewAccountInput, unknown, NewAccount>;
  /** The stored slug. */
  slug: string;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
}

export function SlugChoice({ control, slug, checked, onCheckedChange }: SlugChoiceProps): React.JSX.Element {
  const id = useId();
  const derived = slugFromName(useWatch({ control, name: 'name' }));
  const matches = derived === slug;
  return (
    <div className="flex gap-2">
      <Checkbox
        id={id}
        aria-describedby={`${id}-help`}
        checked={checked && !matches}
        disabled={matches}
        onChange={(event) => onCheckedChange(event.target.checked)}
      />
      <div className="grid min-w-0 gap-0.5 pt-0.5">
        <label htmlFor={id} className="text-sm font-medium">
          {text.label}
        </label>
        <p id={`${id}-help`} className="text-[0.8125rem] wrap-anywhere text-muted">
          <QuotedText>{matches ? text.matches(slug) : text.help(slug, derived)}</QuotedText>
        </p>
      </div>
    </div>
  );
}
