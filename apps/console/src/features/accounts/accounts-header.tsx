/** The header of the accounts screen, with the checklist of a new instance. */
import { setupSteps } from '@lanternrock/contract/setup-steps';
import ListTodo from 'lucide-react/icons/list-todo';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { accountListText as text } from './account-list-text.ts';
import type { AccountsList } from './use-accounts-list.ts';
import { useSetupChecklist } from './use-setup-checklist.ts';

const SetupChecklist = lazyOverlay(async () => (await import('./setup-checklist.tsx')).SetupChecklist, {
  quiet: true,
});

interface AccountsHeaderProps {
  list: AccountsList;
  addButton: ReactNode;
  onCreate: () => void;
}

export function AccountsHeader({ list, addButton, onCreate }: AccountsHeaderProps): React.JSX.Element {
  const { steps, expanded, toggle, dismiss } = useSetupChecklist(list);
  return (
    <>
      <ScreenHeader
        title={text.title}
        action={
          <div className="flex flex-wrap gap-2">
            {/* Beside the title, where it moves nothing. */}
            {steps !== undefined && (
              <Button variant="outline" className="px-3" aria-expanded={expanded} onClick={toggle}>
                <ListTodo aria-hidden />
                <span aria-hidden className="sm:hidden">
                  {steps.done.length}/{setupSteps.length}
                </span>
                <span className="sr-only sm:not-sr-only">
                  {text.setup(steps.done.length, setupSteps.length)}
                </span>
              </Button>
            )}
            {addButton}
          </div>
        }
      />
      <SetupChecklist
        open={steps !== undefined && expanded}
        steps={steps}
        onCreateAccount={onCreate}
        onDismiss={dismiss}
      />
    </>
  );
}
