/** The screen that invites administrators from a list. */
import { useId, useState } from 'react';
import { FileInput } from '../../forms/file-input.tsx';
import { LeaveGuard } from '../../forms/leave-guard.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { inviteListText } from './invite-list-text.ts';
import { isDue } from './invite-run.ts';
import { ListColumnsCard } from './list-columns-card.tsx';
import { ListResultCard } from './list-result-card.tsx';
import { useInviteList, type InviteList } from './use-invite-list.ts';

interface InviteListScreenProps {
  /** Called when invitations have changed. */
  onInvited: () => void;
}

export function InviteListScreen({ onInvited }: InviteListScreenProps): React.JSX.Element {
  const state = useInviteList(onInvited);
  const [pasted, setPasted] = useState('');
  const isSent = state.isPasted && state.isSent && state.rows?.some(isDue) === false;
  return (
    <div className="grid max-w-5xl content-start gap-4">
      <ScreenHeader title={inviteListText.title} />
      <SourceCard state={state} pasted={pasted} onPaste={setPasted} />
      {state.file !== undefined && <ListColumnsCard state={state} file={state.file} />}
      <ListResultCard state={state} />
      {state.running === 'sending' ? (
        <LeaveGuard active {...inviteListText.leave} />
      ) : (
        <LeaveGuard active={pasted.trim() !== '' && !isSent} {...inviteListText.discard} />
      )}
    </div>
  );
}

const text = inviteListText.file;

interface SourceCardProps {
  state: InviteList;
  pasted: string;
  onPaste: (text: string) => void;
}

function SourceCard({ state, pasted, onPaste }: SourceCardProps): React.JSX.Element {
  const id = useId();
  const { file, problem, isPasted } = state;
  const busy = state.running !== null;
  return (
    <Card aria-labelledby={id}>
      <CardHeader>
        <CardTitle id={id}>{text.title}</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-4">
        <Field
          label={text.label}
          error={isPasted ? undefined : problem}
          helpText={text.help}
          render={(control) => (
            <FileInput
              {...control}
              accept=".csv,.tsv,.txt,text/csv"
              disabled={busy}
              onFile={(chosen) => void state.choose(chosen)}
            />
          )}
        />
        <Field
          label={text.paste}
          error={isPasted ? problem : undefined}
          helpText={text.pasteHelp}
          render={(control) => (
            <Textarea
              {...control}
              value={pasted}
              disabled={busy}
              spellCheck={false}
              onChange={({ target }) => onPaste(target.value)}
            />
          )}
        />
        <div>
          <Button
            variant="outline"
            disabled={busy || pasted.trim() === ''}
            onClick={() => void state.paste(pasted)}
          >
            {text.use}
          </Button>
        </div>
        <output className="block text-sm font-medium empty:sr-only">
          {file !== undefined && text.chosen(file.name, file.records.length)}
        </output>
      </CardContent>
    </Card>
  );
}
