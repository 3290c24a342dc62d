/** The field for the end date in a form, with suggestions. */
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { FormField } from '../../forms/form-field.tsx';
import { timeZoneName } from '../../ui/format-time.ts';
import { endDateText as text } from './end-date-text.ts';
import type { EndDateInput } from './end-date.ts';
import { EndPresets } from './end-presets.tsx';

interface EndDateFieldProps {
  /** Has the field of `EndDateInput`, among others. */
  form: unknown;
  label: string;
}

export function EndDateField({ form, label }: EndDateFieldProps): React.JSX.Element {
  const endForm = form as UseFormReturn<EndDateInput, unknown, unknown>;
  const [zone] = useState(timeZoneName);
  return (
    <>
      <FormField
        form={endForm}
        name="ends_at"
        type="datetime-local"
        label={label}
        helpText={text.timeZone(zone)}
      />
      <EndPresets
        onSelect={(value) => endForm.setValue('ends_at', value, { shouldDirty: true, shouldValidate: true })}
      />
    </>
  );
}
