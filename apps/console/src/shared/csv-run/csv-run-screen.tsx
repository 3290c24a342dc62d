/** A screen that checks and sends the rows of a list: file, columns, result. */
import { type ReactNode, useState } from 'react';
import { LeaveGuard } from '../../forms/leave-guard.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { ColumnsCard } from './columns-card.tsx';
import type { CsvList, CsvRow } from './csv-list.ts';
import { FileCard } from './file-card.tsx';
import { ResultCard } from './result-card.tsx';
import { useCsvFile } from './use-csv-file.ts';
import { useCsvRun } from './use-csv-run.ts';

interface CsvRunScreenProps<Column extends string, Row extends CsvRow> {
  list: CsvList<Column, Row>;
  /** Called whenever sending stops or is complete, and after an undo. */
  onSent: () => void;
  /** Returns what is shown below. `sending` is true while rows are sent. */
  children?: (sending: boolean) => ReactNode;
}

export function CsvRunScreen<Column extends string, Row extends CsvRow>({
  list,
  onSent,
  children,
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
      <FileCard list={list} source={source} running={running} pasted={pasted} onPaste={setPasted} />
      {source.file !== undefined && source.isConfirmed && !source.reading && source.problem === undefined && (
        <ColumnsCard list={list} source={source} file={source.file} run={run} />
      )}
      {state !== null && (
        <ResultCard list={list} run={run} state={state} fileName={source.file?.name ?? ''} />
      )}
      {children?.(isSending)}
      {isSending || text.paste === undefined ? (
        <LeaveGuard active={isSending} {...text.leave} />
      ) : (
        <LeaveGuard active={pasted.trim() !== '' && !isPastedSent} {...text.paste.discard} />
      )}
    </div>
  );
}
