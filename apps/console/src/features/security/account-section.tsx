/** Name and password of the current user. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import LockKeyhole from 'lucide-react/icons/lock-keyhole';
import UserRound from 'lucide-react/icons/user-round';
import { useState } from 'react';
import { auth } from '../../api/auth.ts';
import { profileKey, useProfileName } from '../../session/use-session.tsx';
import { Button } from '../../ui/button.tsx';
import { unwrapAuth } from '../../api/auth-requests.ts';
import { SettingsListItem, SettingsList } from './settings-list.tsx';
import { NameDialog } from './name-dialog.tsx';
import { parseFullName } from './parse-names.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { QueryContent, SettingsSection } from './settings-section.tsx';
import { currentUserQuery } from './security-queries.ts';
import { securityText } from './security-text.ts';
import { useSecurityMutation } from './use-security-mutation.ts';

const text = securityText.account;

export function AccountSection(): React.JSX.Element {
  const query = useQuery(currentUserQuery);
  const name = useProfileName();
  const client = useQueryClient();
  const [open, setOpen] = useState<'name' | 'password'>();
  const close = (): void => setOpen(undefined);
  const renameMutation = useSecurityMutation<string>({
    run: async (fullName) => {
      await unwrapAuth(auth.updateUser({ data: { full_name: fullName } }));
      await client.invalidateQueries({ queryKey: profileKey });
    },
    errorTitle: '',
    successToast: (fullName) => ({ title: text.nameDone, description: text.nameDoneDescription(fullName) }),
  });
  return (
    <SettingsSection id="security-account" title={text.title} description={text.description}>
      <QueryContent query={query} errorTitle={text.loadFailed} rows={2}>
        {({ email }) => (
          <SettingsList label={text.title}>
            <SettingsListItem
              icon={<UserRound />}
              name={name ?? text.unnamed}
              details={text.nameDetails(email)}
              actions={<Change label={text.changeName} onClick={() => setOpen('name')} />}
            />
            <SettingsListItem
              icon={<LockKeyhole />}
              name={text.password}
              details={text.passwordDetails}
              actions={<Change label={text.changePassword} onClick={() => setOpen('password')} />}
            />
          </SettingsList>
        )}
      </QueryContent>
      <NameDialog
        open={open === 'name'}
        onClose={close}
        title={text.nameTitle}
        name={name ?? ''}
        read={parseFullName}
        helpText={text.nameHelpText}
        autoComplete="name"
        submitLabel={text.saveName}
        pendingLabel={text.savingName}
        onSubmit={(fullName) => renameMutation.mutateAsync(fullName)}
      />
      <PasswordDialog open={open === 'password'} email={query.data?.email ?? ''} onClose={close} />
    </SettingsSection>
  );
}

function Change({ label, onClick }: { label: string; onClick: () => void }): React.JSX.Element {
  return (
    <Button variant="outline" size="sm" aria-label={label} onClick={onClick}>
      {text.change}
    </Button>
  );
}
