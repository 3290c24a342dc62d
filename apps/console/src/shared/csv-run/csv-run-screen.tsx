/** A screen that checks and sends the rows of a CSV file: file, columns, result. */
import { useId, useState } from 'react';
import { LeaveGuard } from '../../forms/leave-guard.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { Textarea } from '../../ui/input.tsx';
import { ColumnsCard } from './columns-card.tsx';
import type { CsvList, CsvListText, CsvRow } from './csv-list.ts';
import { csvRunText } from './csv-run-text.ts';
import { ResultCard } from './result-card.tsx';
import { type ChosenFile, useCsvFile } from './use-csv-file.ts';
import { useCsvRun } from './use-csv-run.ts';

interface CsvRunScreenProps<Column extends string, Row extends CsvRow> {
  list: CsvList<Column, Row>;
  /** Called whenever sending stops or is complete. */
  onSent: () => void;
}

export function CsvRunScreen<Column extends string, Row extends CsvRow>({
  list,
  onSent,
}: CsvRunScreenProps<Column, Row>): React.JSX.Element {
  const run = useCsvRun(list, onSent);
  const source = useCsvFile(list, run.reset);
  const [pasted, setPasted] = useState('');
  const { text } = list;
  const { state } = run;
  const running = state?.running === true;
  const isSending = running && state?.phase === 'send';
  const isPastedSent = source.isPasted && state?.phase === 'send' && !running && state.stop === null;
  return (
    <div className="grid max-w-5xl content-start gap-4">
      <ScreenHeader title={text.title} />
      <FileCard text={text} source={source} running={running} pasted={pasted} onPaste={setPasted} />
      {source.file !== undefined && <ColumnsCard list={list} source={source} file={source.file} run={run} />}
      {state !== null && (
        <ResultCard list={list} run={run} state={state} fileName={source.file?.name ?? ''} />
      )}
      {isSending || text.paste === undefined ? (
        <LeaveGuard active={isSending} {...text.leave} />
      ) : (
        <LeaveGuard active={pasted.trim() !== '' && !isPastedSent} {...text.paste.discard} />
      )}
    </div>
  );
}

interface FileCardProps {
  text: CsvListText;
  source: Omit<ChosenFile<string>, 'setColumn'>;
  running: boolean;
  pasted: string;
  onPaste: (rows: string) => void;
}

function FileCard({ text, source, running, pasted, onPaste }: FileCardProps): React.JSX.Element {
  const id = useId();
  const { file, problem, reading, isPasted } = source;
  const { paste } = text;
  const disabled = running || reading;
  return (
    <Card aria-labelledby={id}>
      <CardHeader>
        <CardTitle id={id}>{text.file.title}</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-4">
        <Field
          label={csvRunText.file.label}
          error={isPasted ? undefined : problem}
          helpText={text.file.help}
          render={(control) => (
            <input
              {...control}
              type="file"
              accept=".csv,.tsv,.txt,text/csv"
              disabled={disabled}
              className={fileInputStyle}
              onClick={({ currentTarget }) => {
                // The same file can be chosen again after it was corrected.
                currentTarget.value = '';
              }}
              onChange={({ target }) => {
                const [chosen] = target.files ?? [];
                if (chosen !== undefined) source.choose(chosen);
              }}
            />
          )}
        />
        {paste !== undefined && (
          <>
            <Field
              label={paste.label}
              error={isPasted ? problem : undefined}
              helpText={paste.help}
              render={(control) => (
                <Textarea
                  {...control}
                  value={pasted}
                  disabled={running}
                  spellCheck={false}
                  onChange={({ target }) => onPaste(target.value)}
                />
              )}
            />
            <div>
              <Button
                variant="outline"
                disabled={disabled || pasted.trim() === ''}
                pending={reading && isPasted}
                onClick={() => source.paste(pasted, paste.name)}
              >
                {paste.use}
              </Button>
            </div>
          </>
        )}
        <output className="block text-sm font-medium empty:sr-only">
          {reading && csvRunText.file.reading}
          {file !== undefined && csvRunText.file.chosen(file.name, file.records.length)}
        </output>
      </CardContent>
    </Card>
  );
}

const fileInputStyle = [
  'w-full cursor-pointer rounded-md border border-input bg-raised text-sm text-foreground shadow-xs',
  'file:mr-3 file:h-9 file:cursor-pointer file:border-0 file:border-r file:border-solid file:border-input',
  'file:bg-subtle file:px-4 file:text-sm file:font-medium file:text-foreground disabled:opacity-60',
].join(' ');
