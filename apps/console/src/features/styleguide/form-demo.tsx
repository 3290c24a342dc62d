/** Demo of the form elements. A line below shows their current values. */
import { useId, useState } from 'react';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { DemoSection } from './demo-section.tsx';

const regions = [
  { value: 'alps', label: 'Alps' },
  { value: 'coast', label: 'Coast' },
  { value: 'lakes', label: 'Lakes' },
];
const priorities = [
  { value: 'routine', label: 'Routine' },
  { value: 'urgent', label: 'Urgent' },
];

export function FormDemo(): React.JSX.Element {
  const [name, setName] = useState('');
  const [notes, setNotes] = useState('');
  const [region, setRegion] = useState('alps');
  const [priority, setPriority] = useState('routine');
  const [consent, setConsent] = useState(false);
  const [paging, setPaging] = useState(true);
  return (
    <DemoSection title="Form Elements" description="Labels above the control, help and errors below." wide>
      <form className="grid gap-5 md:grid-cols-2" onSubmit={(event) => event.preventDefault()}>
        <div className="grid content-start gap-4">
          <Field
            label="Team Name"
            helpText="Shown on every page."
            render={(control) => (
              <Input
                {...control}
                autoComplete="off"
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          />
          <Field
            label="Notes"
            render={(control) => (
              <Textarea {...control} value={notes} onChange={(event) => setNotes(event.target.value)} />
            )}
          />
          <InvalidField />
        </div>
        <div className="grid content-start gap-4">
          <Field
            label="Region"
            render={(control) => (
              <Select
                {...control}
                options={regions}
                value={region}
                onChange={(event) => setRegion(event.target.value)}
              />
            )}
          />
          <RadioGroup label="Priority" options={priorities} value={priority} onValueChange={setPriority} />
          <ConsentBox checked={consent} onChange={setConsent} />
          <Switch label="Paging" checked={paging} onChange={(event) => setPaging(event.target.checked)} />
        </div>
        <output className="text-sm text-muted wrap-anywhere md:col-span-2">
          {name === '' ? 'Unnamed team' : name}, {region}, {priority}, sharing {consent ? 'on' : 'off'},
          paging {paging ? 'on' : 'off'}, {notes.length} characters of notes.
        </output>
      </form>
    </DemoSection>
  );
}

/** A field with an error. */
function InvalidField(): React.JSX.Element {
  return (
    <Field
      label="Call Sign"
      error="Call sign is required"
      render={(control) => <Input {...control} autoComplete="off" placeholder="For example Ridge 2" />}
    />
  );
}

interface ConsentBoxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function ConsentBox({ checked, onChange }: ConsentBoxProps): React.JSX.Element {
  const id = useId();
  return (
    <div className="flex min-h-7 items-center gap-2 text-sm">
      <Checkbox id={id} checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <label htmlFor={id} className="cursor-pointer">
        Share position with partner teams
      </label>
    </div>
  );
}
