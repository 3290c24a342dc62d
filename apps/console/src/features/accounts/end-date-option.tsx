/** The end date of a member who is added. The button only shows its field. */
import { useEffect, useState } from 'react';
import { endDateText as text } from '../../shared/end-date/end-date-text.ts';
import { EndPresets } from '../../shared/end-date/end-presets.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { timeZoneName } from '../../ui/format-time.ts';
import { Input } from '../../ui/input.tsx';
import { membersText } from './members-text.ts';
import type { EndDateState } from './use-end-date.ts';

interface EndDateOptionProps {
  end: EndDateState;
  readOnly: boolean;
}

export function EndDateOption({ end, readOnly }: EndDateOptionProps): React.JSX.Element {
  const { field } = end;
  const [isOpen, setOpen] = useState(false);
  const [zone] = useState(timeZoneName);
  useEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen, field]);
  if (!isOpen)
    return (
      <div>
        <Button variant="link" size="flush" onClick={() => setOpen(true)}>
          {membersText.moreOptions}
        </Button>
      </div>
    );
  return (
    <div className="grid gap-2 pb-2">
      <Field
        label={text.ends}
        error={end.error}
        helpText={text.timeZone(zone)}
        render={(control) => (
          <Input
            {...control}
            ref={field}
            type="datetime-local"
            autoComplete="off"
            readOnly={readOnly}
            value={end.value}
            onChange={(event) => end.setValue(event.target.value)}
          />
        )}
      />
      <EndPresets onSelect={end.setValue} />
    </div>
  );
}
