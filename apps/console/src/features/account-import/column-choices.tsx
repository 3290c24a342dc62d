/** Chooses what each column of the file means. The choices are guessed from the header. */
import { Button } from '../../ui/button.tsx';
import { FileColumnsCard } from '../../forms/file-columns-card.tsx';
import type { CsvFile } from '../../forms/read-csv.ts';
import { columnLabels, importText } from './import-text.ts';
import type { AccountImport } from './use-import.ts';

const text = importText.columns;

interface ColumnChoicesProps {
  state: AccountImport;
  file: CsvFile;
}

export function ColumnChoices({ state, file }: ColumnChoicesProps): React.JSX.Element {
  const { mapping, columnProblem, running } = state;
  return (
    <FileColumnsCard
      description={text.description}
      file={file}
      mapping={mapping}
      labels={columnLabels}
      unusedLabel={text.notImported}
      disabled={running}
      problem={columnProblem}
      onChange={state.setColumn}
    >
      <Button
        disabled={columnProblem !== null || running}
        pending={running && state.run?.dryRun === true}
        onClick={() => void state.check()}
      >
        {text.check}
      </Button>
    </FileColumnsCard>
  );
}
