/** Who the person is here: the name that others see, and the password. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import LockKeyhole from 'lucide-react/icons/lock-keyhole';
import UserRound from 'lucide-react/icons/user-round';
import { useState } from 'react';
import { auth } from '../../backend-auth.ts';
import { profileKey, useProfileName } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { settled } from './auth-calls.ts';
import { Item, ItemList } from './item-list.tsx';
import { NameDialog } from './name-dialog.tsx';
import { readPersonName } from './names.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { Loaded, Section } from './section.tsx';
import { ownUserQuery } from './security-queries.ts';
import { securityText } from './security-text.ts';
import { useAct } from './use-act.ts';

const text = securityText.account;

export function AccountSection(): React.JSX.Element {
  const query = useQuery(ownUserQuery);
  const name = useProfileName();
  const client = useQueryClient();
  const [open, setOpen] = useState<'name' | 'password'>();
  const close = (): void => setOpen(undefined);
  const renames = useAct<string>({
    run: async (fullName) => {
      await settled(auth.updateUser({ data: { full_name: fullName } }));
      await client.invalidateQueries({ queryKey: profileKey });
    },
    failed: '',
    done: (fullName) => ({ title: text.nameDone, description: text.nameDoneDescription(fullName) }),
  });
  return (
    <Section id="security-account" title={text.title} description={text.description}>
      <Loaded query={query} failed={text.loadFailed} rows={2}>
        {({ email }) => (
          <ItemList label={text.title}>
            <Item
              icon={<UserRound />}
              name={name ?? text.unnamed}
              details={text.nameDetails(email)}
              actions={<Change label={text.changeName} onClick={() => setOpen('name')} />}
            />
            <Item
              icon={<LockKeyhole />}
              name={text.password}
              details={text.passwordDetails}
              actions={<Change label={text.changePassword} onClick={() => setOpen('password')} />}
            />
          </ItemList>
        )}
      </Loaded>
      <NameDialog
        open={open === 'name'}
        onClose={close}
        title={text.nameTitle}
        name={name ?? ''}
        read={readPersonName}
        hint={text.nameHint}
        autoComplete="name"
        submitLabel={text.saveName}
        pendingLabel={text.savingName}
        onSubmit={(fullName) => renames.mutateAsync(fullName)}
      />
      <PasswordDialog open={open === 'password'} email={query.data?.email ?? ''} onClose={close} />
    </Section>
  );
}

function Change({ label, onClick }: { label: string; onClick: () => void }): React.JSX.Element {
  return (
    <Button variant="outline" size="sm" aria-label={label} onClick={onClick}>
      {text.change}
    </Button>
  );
}
