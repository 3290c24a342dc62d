/** Name and password of the current user. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import LockKeyhole from 'lucide-react/icons/lock-keyhole';
import UserRound from 'lucide-react/icons/user-round';
import { useState } from 'react';
import { auth, unwrap } from '../../api/auth.ts';
import { profileKey, useProfileName } from '../../session/use-session.tsx';
import { useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { SettingsListItem, SettingsList } from './settings-list.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { ContactPhone } from './contact-phone.tsx';
import { fullNameSchema, nameField } from './security-fields.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { QueryContent, SettingsSection } from './settings-section.tsx';
import { currentUserQuery } from './security-queries.ts';
import { securitySearchParams } from './security-search-params.ts';
import { securityText } from './security-text.ts';
import { useSecurityChange } from './use-security-change.ts';

const text = securityText.account;

export function AccountSection(): React.JSX.Element {
  const query = useQuery(currentUserQuery);
  const { name, state } = useProfileName();
  const client = useQueryClient();
  const { search, change } = useUrlState('/admin/me/security', securitySearchParams);
  const [passwordOpen, setPasswordOpen] = useState(false);
  const renaming = useSecurityChange<{ name: string }>({
    action: 'change-name',
    send: async (input) => {
      await unwrap(auth.updateUser({ data: { full_name: input.name } }));
      await client.invalidateQueries({ queryKey: profileKey });
    },
    done: (_, input) => ({ title: text.nameDone, description: text.nameDoneDescription(input.name) }),
  });
  return (
    <SettingsSection id="security-account" title={text.title} description={text.description}>
      <QueryContent query={query} errorTitle={text.loadFailed} rows={2}>
        {({ email }) => (
          <SettingsList label={text.title}>
            <SettingsListItem
              icon={<UserRound />}
              name={name ?? (state === 'loaded' ? text.unnamed : email)}
              details={text.nameDetails(email)}
              actions={
                // The field would start without the name.
                <Change
                  label={text.changeName}
                  disabled={state === 'loading'}
                  onClick={() => change({ edit: 'name' })}
                />
              }
            />
            <SettingsListItem
              icon={<LockKeyhole />}
              name={text.password}
              details={text.passwordDetails}
              actions={<Change label={text.changePassword} onClick={() => setPasswordOpen(true)} />}
            />
            <ContactPhone />
          </SettingsList>
        )}
      </QueryContent>
      <FormDialog
        {...renaming}
        {...nameField(name ?? '', {
          schema: fullNameSchema,
          helpText: text.nameHelpText,
          autoComplete: 'name',
        })}
        closesUnchanged={name !== null}
        inUrl
        // After the name is known, which is the value of the field.
        open={search.edit === 'name' && state !== 'loading'}
        onClose={() => change({ edit: undefined })}
        title={text.nameTitle}
        submitLabel={text.saveName}
        pendingLabel={text.savingName}
      />
      <PasswordDialog
        open={passwordOpen}
        email={query.data?.email ?? ''}
        onClose={() => setPasswordOpen(false)}
      />
    </SettingsSection>
  );
}

interface ChangeProps {
  label: string;
  disabled?: boolean;
  onClick: () => void;
}

function Change({ label, disabled = false, onClick }: ChangeProps): React.JSX.Element {
  return (
    <Button variant="outline" size="sm" aria-label={label} disabled={disabled} onClick={onClick}>
      {text.change}
    </Button>
  );
}
