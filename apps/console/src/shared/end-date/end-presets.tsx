/** Buttons that enter a suggested end date. */
import { useState } from 'react';
import { serverNow } from '../../api/server-clock.ts';
import { Button } from '../../ui/button.tsx';
import { endDateText as text } from './end-date-text.ts';
import { endPresets } from './end-date.ts';

interface EndPresetsProps {
  /** @param value of an input of the type `datetime-local`; '' for no end date */
  onSelect: (value: string) => void;
}

export function EndPresets({ onSelect }: EndPresetsProps): React.JSX.Element {
  // The suggestions must not change while the user reads them.
  const [presets] = useState(() => endPresets(serverNow()));
  return (
    <div role="group" aria-label={text.presets} className="flex flex-wrap gap-2">
      {presets.map(({ label, value }) => (
        <Button key={label} variant="outline" size="sm" onClick={() => onSelect(value)}>
          {label}
        </Button>
      ))}
    </div>
  );
}
