/** Chooses what each column of the file means. The choices are guessed from the header. */
import { importColumns, type ImportColumn } from '@lanternrock/contract/account-import';
import { useId } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { ParsedFile } from './csv-worker.ts';
import { columnLabels, importText } from './import-text.ts';
import type { AccountImport } from './use-import.ts';

const text = importText.columns;

const options = [
  { value: '', label: text.notImported },
  ...importColumns.map((column) => ({ value: column, label: columnLabels[column] })),
];

interface ColumnChoicesProps {
  state: AccountImport;
  file: ParsedFile;
}

export function ColumnChoices({ state, file }: ColumnChoicesProps): React.JSX.Element {
  const id = useId();
  const { mapping, columnProblem, running } = state;
  return (
    <Card aria-labelledby={id}>
      <CardHeader>
        <CardTitle id={id}>{text.title}</CardTitle>
        <CardDescription>{text.description}</CardDescription>
      </CardHeader>
      <CardContent className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {file.header.map((header, index) => (
            <Field
              // Two columns can have the same header.
              key={index}
              label={text.label(header)}
              helpText={<span className="line-clamp-1 wrap-anywhere">{text.sample(file.records[0]?.[index] ?? '')}</span>}
              render={(control) => (
                <Select
                  {...control}
                  options={options}
                  value={mapping[index] ?? ''}
                  disabled={running}
                  onChange={({ target }) =>
                    state.setColumn(index, target.value === '' ? null : (target.value as ImportColumn))
                  }
                />
              )}
            />
          ))}
        </div>
        {columnProblem !== null && <Alert variant="destructive" role="alert" title={columnProblem} />}
      </CardContent>
      <CardFooter>
        <Button
          disabled={columnProblem !== null}
          pending={running && state.run?.dryRun === true}
          onClick={() => void state.check()}
        >
          {text.check}
        </Button>
      </CardFooter>
    </Card>
  );
}
