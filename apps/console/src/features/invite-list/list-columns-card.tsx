/** Chooses what each column of the list means. The choices are guessed from the header. */
import { useId } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { inviteListText } from './invite-list-text.ts';
import { findListProblem, listColumns } from './list-columns.ts';
import type { ListFile } from './read-list.ts';
import type { InviteList } from './use-invite-list.ts';

const text = inviteListText.columns;

const options = [
  { value: '', label: text.notUsed },
  ...listColumns.map((column) => ({ value: column, label: text.names[column] })),
];

interface ListColumnsCardProps {
  state: InviteList;
  file: ListFile;
}

export function ListColumnsCard({ state, file }: ListColumnsCardProps): React.JSX.Element {
  const id = useId();
  const { mapping, running } = state;
  const problem = findListProblem(mapping);
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
              helpText={
                <span className="line-clamp-1 wrap-anywhere">
                  {text.sample(file.records[0]?.[index] ?? '')}
                </span>
              }
              render={(control) => (
                <Select
                  {...control}
                  options={options}
                  value={mapping[index] ?? ''}
                  disabled={running !== null}
                  onChange={({ target }) =>
                    state.setColumn(index, listColumns.find((column) => column === target.value) ?? null)
                  }
                />
              )}
            />
          ))}
        </div>
        {problem !== null && <Alert variant="destructive" role="alert" title={problem} />}
      </CardContent>
      <CardFooter>
        <Button
          disabled={problem !== null || running === 'sending'}
          pending={running === 'checking'}
          pendingLabel={inviteListText.run.checking}
          onClick={() => void state.check()}
        >
          {text.check}
        </Button>
      </CardFooter>
    </Card>
  );
}
