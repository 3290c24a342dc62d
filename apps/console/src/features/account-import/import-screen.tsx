/** The screen that imports accounts from a CSV file. */
import { useId } from 'react';
import { FileInput } from '../../forms/file-input.tsx';
import { LeaveGuard } from '../../forms/leave-guard.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { ColumnChoices } from './column-choices.tsx';
import { importText } from './import-text.ts';
import { RunCard } from './run-card.tsx';
import { useImport, type AccountImport } from './use-import.ts';

interface ImportScreenProps {
  /** Called when accounts have changed. */
  onImported: () => void;
}

export function ImportScreen({ onImported }: ImportScreenProps): React.JSX.Element {
  const state = useImport(onImported);
  return (
    <div className="grid max-w-5xl content-start gap-4">
      <ScreenHeader title={importText.title} />
      <FileCard state={state} />
      {state.file !== undefined && <ColumnChoices state={state} file={state.file} />}
      {state.run !== undefined && <RunCard state={state} run={state.run} />}
      <LeaveGuard active={state.running && state.run?.dryRun === false} {...importText.leave} />
    </div>
  );
}

const text = importText.file;

function FileCard({ state }: { state: AccountImport }): React.JSX.Element {
  const id = useId();
  const { file } = state;
  return (
    <Card aria-labelledby={id}>
      <CardHeader>
        <CardTitle id={id}>{text.title}</CardTitle>
      </CardHeader>
      <CardContent>
        <Field
          label={text.label}
          error={state.problem}
          helpText={text.help}
          render={(control) => (
            <FileInput
              {...control}
              accept=".csv,.tsv,.txt,text/csv"
              disabled={state.running || state.reading}
              onFile={(chosen) => void state.choose(chosen)}
            />
          )}
        />
        <output className="mt-2 block text-sm font-medium empty:sr-only">
          {state.reading && text.reading}
          {file !== undefined && text.chosen(file.name, file.records.length)}
        </output>
      </CardContent>
    </Card>
  );
}
