/** Chooses what each column of the file means. The choices are guessed from the header. */
import { useId } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { CsvList, CsvRow } from './csv-list.ts';
import { csvRunText } from './csv-run-text.ts';
import type { CsvFile } from './read-csv.ts';
import type { ChosenFile } from './use-csv-file.ts';
import type { CsvRun } from './use-csv-run.ts';

const text = csvRunText.columns;

interface ColumnsCardProps<Column extends string, Row extends CsvRow> {
  list: CsvList<Column, Row>;
  source: ChosenFile<Column>;
  file: CsvFile;
  run: CsvRun<Row>;
}

export function ColumnsCard<Column extends string, Row extends CsvRow>(
  props: ColumnsCardProps<Column, Row>,
): React.JSX.Element {
  const { list, source, file, run } = props;
  const id = useId();
  const problem = list.findColumnProblem(source.mapping, file);
  const running = run.state?.running === true;
  const isChecking = running && run.state?.phase === 'check';
  return (
    <Card aria-labelledby={id}>
      <CardHeader>
        <CardTitle id={id}>{text.title}</CardTitle>
        <CardDescription>{list.text.columns.description}</CardDescription>
      </CardHeader>
      <CardContent className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {file.header.map((header, index) => (
            // Two columns can have the same header.
            <ColumnField key={index} {...props} header={header} index={index} disabled={running} />
          ))}
        </div>
        {problem !== null && <Alert variant="destructive" role="alert" title={problem} />}
      </CardContent>
      <CardFooter>
        <Button
          disabled={problem !== null || running}
          pending={isChecking}
          pendingLabel={text.checking}
          onClick={() => run.check(list.createJob(file, source.mapping))}
        >
          {text.check}
        </Button>
      </CardFooter>
    </Card>
  );
}

interface ColumnFieldProps<Column extends string, Row extends CsvRow> extends ColumnsCardProps<Column, Row> {
  header: string;
  index: number;
  disabled: boolean;
}

function ColumnField<Column extends string, Row extends CsvRow>({
  list,
  source,
  file,
  header,
  index,
  disabled,
}: ColumnFieldProps<Column, Row>): React.JSX.Element {
  const columns = Object.keys(list.columnLabels) as Column[];
  const options = columns.map((column) => ({ value: column as string, label: list.columnLabels[column] }));
  return (
    <Field
      label={
        <>
          Column &quot;<bdi translate="no">{header}</bdi>&quot;
        </>
      }
      helpText={
        <span className="line-clamp-1 wrap-anywhere">
          First row: <bdi translate="no">{file.records[0]?.[index]}</bdi>
        </span>
      }
      render={(control) => (
        <Select
          {...control}
          options={[{ value: '', label: list.text.columns.unused }, ...options]}
          value={source.mapping[index] ?? ''}
          disabled={disabled}
          onChange={({ target }) =>
            source.setColumn(index, columns.find((column) => column === target.value) ?? null)
          }
        />
      )}
    />
  );
}
