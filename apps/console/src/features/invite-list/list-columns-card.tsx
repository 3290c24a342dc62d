/** Chooses what each column of the list means. The choices are guessed from the header. */
import { Button } from '../../ui/button.tsx';
import { FileColumnsCard } from '../../forms/file-columns-card.tsx';
import type { CsvFile } from '../../forms/read-csv.ts';
import { inviteListText } from './invite-list-text.ts';
import { findListProblem } from './list-columns.ts';
import type { InviteList } from './use-invite-list.ts';

const text = inviteListText.columns;

interface ListColumnsCardProps {
  state: InviteList;
  file: CsvFile;
}

export function ListColumnsCard({ state, file }: ListColumnsCardProps): React.JSX.Element {
  const { mapping, running } = state;
  const problem = findListProblem(mapping);
  return (
    <FileColumnsCard
      description={text.description}
      file={file}
      mapping={mapping}
      labels={text.names}
      unusedLabel={text.notUsed}
      disabled={running !== null}
      problem={problem}
      onChange={state.setColumn}
    >
      <Button
        disabled={problem !== null || running === 'sending'}
        pending={running === 'checking'}
        pendingLabel={inviteListText.run.checking}
        onClick={() => void state.check()}
      >
        {text.check}
      </Button>
    </FileColumnsCard>
  );
}
