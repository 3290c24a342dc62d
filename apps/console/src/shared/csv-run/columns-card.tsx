/** Chooses the column of the file for each field, and what its words mean. The columns are guessed from the header. */
import { listUnusedColumns, type ListFile } from '@lanternrock/contract/list-file';
import { Link } from '@tanstack/react-router';
import { useId, useMemo } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { QuotedText } from '../../ui/quoted-text.tsx';
import { Select } from '../../ui/select.tsx';
import type { CsvList, CsvRow } from './csv-list.ts';
import { csvRunText } from './csv-run-text.ts';
import type { ChosenFile } from './use-csv-file.ts';
import type { CsvRun } from './use-csv-run.ts';
import { WordFields } from './word-fields.tsx';

const text = csvRunText.columns;

interface ColumnsCardProps<Column extends string, Row extends CsvRow> {
  list: CsvList<Column, Row>;
  source: ChosenFile<Column>;
  file: ListFile;
  run: CsvRun<Row>;
}

export function ColumnsCard<Column extends string, Row extends CsvRow>(
  props: ColumnsCardProps<Column, Row>,
): React.JSX.Element {
  const { list, source, file, run } = props;
  const { mapping, words } = source;
  const id = useId();
  const columnProblem = list.findColumnProblem(mapping, file);
  // Reads all rows, also at each step of a run.
  const wordProblem = useMemo(
    () => list.wordRules?.findProblem(file, mapping, words) ?? null,
    [list, file, mapping, words],
  );
  const problem = columnProblem ?? wordProblem;
  const running = run.state?.running === true;
  const isChecking = running && run.state?.phase === 'check';
  const unused = useMemo(() => listUnusedColumns(file, mapping), [file, mapping]);
  const otherImport = list.findOtherImport?.(unused) ?? null;
  return (
    <Card aria-labelledby={id}>
      <CardHeader>
        <CardTitle id={id}>{text.title}</CardTitle>
        <CardDescription>{list.text.columns.description}</CardDescription>
      </CardHeader>
      <CardContent className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {(Object.keys(list.columnLabels) as Column[]).map((column) => (
            <ColumnField key={column} {...props} column={column} disabled={running} />
          ))}
        </div>
        {unused.length > 0 && (
          <div className="grid gap-1 text-sm text-muted">
            <p className="line-clamp-2 wrap-anywhere">
              <QuotedText>{text.unused(unused)}</QuotedText>
            </p>
            {otherImport !== null && (
              <p>
                {otherImport.text}{' '}
                <Link to={otherImport.to} className="font-medium text-primary underline underline-offset-4">
                  {otherImport.link}
                </Link>
              </p>
            )}
          </div>
        )}
        {list.wordRules !== undefined && columnProblem === null && (
          <WordFields rules={list.wordRules} source={source} file={file} disabled={running} />
        )}
        {problem !== null && <Alert variant="destructive" role="alert" title={problem} />}
      </CardContent>
      <CardFooter>
        <Button
          disabled={problem !== null || running}
          pending={isChecking}
          pendingLabel={text.checking}
          onClick={() => run.check(list.createJob(file, mapping, words))}
        >
          {text.check}
        </Button>
      </CardFooter>
    </Card>
  );
}

interface ColumnFieldProps<Column extends string, Row extends CsvRow> extends ColumnsCardProps<Column, Row> {
  column: Column;
  disabled: boolean;
}

function ColumnField<Column extends string, Row extends CsvRow>({
  list,
  source,
  file,
  column,
  disabled,
}: ColumnFieldProps<Column, Row>): React.JSX.Element {
  const index = source.mapping.indexOf(column);
  const options = file.header.map((header, place) => ({ value: String(place), label: header }));
  return (
    <Field
      label={list.columnLabels[column]}
      helpText={
        index >= 0 && (
          <span className="line-clamp-1 wrap-anywhere">
            <QuotedText>{text.first(file.records[0]?.[index] ?? '')}</QuotedText>
          </span>
        )
      }
      render={(control) => (
        <Select
          {...control}
          translate="no"
          options={[{ value: '', label: text.none }, ...options]}
          value={index < 0 ? '' : String(index)}
          disabled={disabled}
          onChange={({ target }) =>
            source.setColumn(column, target.value === '' ? null : Number(target.value))
          }
        />
      )}
    />
  );
}
