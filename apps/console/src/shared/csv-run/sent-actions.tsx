/** What can be done after rows were sent: show them, or remove again what was created. */
import { Link } from '@tanstack/react-router';
import { buttonStyle } from '../../ui/button.tsx';
import type { CsvRow, RowRules } from './csv-list.ts';
import { UndoButton } from './undo-button.tsx';
import type { CsvRun } from './use-csv-run.ts';

interface SentActionsProps<Row extends CsvRow> {
  list: RowRules<Row>;
  run: CsvRun<Row>;
  rows: readonly Row[];
}

export function SentActions<Row extends CsvRow>({
  list,
  run,
  rows,
}: SentActionsProps<Row>): React.JSX.Element {
  const { undo } = list;
  const { show } = list.text;
  const undoable = undo === undefined ? 0 : rows.filter(undo.isUndoable).length;
  return (
    <>
      <Link to={show.to} search={show.search ?? {}} className={buttonStyle({ variant: 'outline' })}>
        {show.label}
      </Link>
      {undo !== undefined && undoable > 0 && (
        <UndoButton text={undo.text} total={undoable} onConfirm={run.undo} />
      )}
    </>
  );
}
