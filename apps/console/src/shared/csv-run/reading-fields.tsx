/** How the chosen file is read: encoding, separator, sheet, header. The values are detected, and the user can change them. */
import { type Delimiter, delimiterNames } from '@lanternrock/contract/csv-file';
import type { ListFile } from '@lanternrock/contract/list-file';
import { type Encoding, encodings } from '@lanternrock/contract/text-encoding';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { csvRunText } from './csv-run-text.ts';
import type { ChosenFile } from './use-csv-file.ts';

const text = csvRunText.reading;

interface ReadingFieldsProps {
  source: Pick<ChosenFile<string>, 'setReading' | 'pendingChoice' | 'isConfirmed' | 'confirm' | 'isPasted'>;
  file: ListFile;
  disabled: boolean;
}

const toOptions = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

export function ReadingFields({ source, file, disabled }: ReadingFieldsProps): React.JSX.Element {
  const { text: csv, workbook } = file.reading;
  const { setReading, pendingChoice: pending } = source;
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {csv !== null && !source.isPasted && (
          <Field
            label={text.encoding}
            render={(control) => (
              <Select
                {...control}
                options={toOptions(encodings)}
                value={pending.encoding ?? csv.encoding}
                disabled={disabled}
                onChange={({ target }) => setReading({ encoding: target.value as Encoding })}
              />
            )}
          />
        )}
        {csv !== null && (
          <Field
            label={text.delimiter}
            render={(control) => (
              <Select
                {...control}
                options={toOptions(delimiterNames)}
                value={pending.delimiter ?? csv.delimiter}
                disabled={disabled}
                onChange={({ target }) => setReading({ delimiter: target.value as Delimiter })}
              />
            )}
          />
        )}
        {workbook !== null && workbook.sheets.length > 1 && (
          <Field
            label={text.sheet}
            render={(control) => (
              <Select
                {...control}
                translate="no"
                options={workbook.sheets.map((sheet) => ({ value: sheet, label: sheet }))}
                value={pending.sheet ?? workbook.sheet}
                disabled={disabled}
                onChange={({ target }) => setReading({ sheet: target.value })}
              />
            )}
          />
        )}
      </div>
      <label className="flex w-fit items-center gap-2 text-sm">
        <Checkbox
          checked={pending.hasHeader ?? file.hasHeader}
          disabled={disabled}
          onChange={({ target }) => setReading({ hasHeader: target.checked })}
        />
        {text.hasHeader}
      </label>
      {csv !== null && !source.isConfirmed && (
        <Alert variant="warning" role="status" title={text.look}>
          <p translate="no" className="font-medium">
            <bdi>{csv.sample.join(', ')}</bdi>
          </p>
          <p>{text.lookHelp}</p>
          <div className="mt-2">
            <Button size="sm" variant="outline" onClick={source.confirm}>
              {text.confirm}
            </Button>
          </div>
        </Alert>
      )}
    </div>
  );
}
