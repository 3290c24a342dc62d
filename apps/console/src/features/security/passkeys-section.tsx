/** Lists, adds, renames and removes passkeys. */
import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import UserRoundKey from 'lucide-react/icons/user-round-key';
import { useState } from 'react';
import { auth, type PasskeyListItem } from '../../api/auth.ts';
import { toast } from '../../ui/toast.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { fromWebAuthnError } from '../../api/webauthn-error.ts';
import { unwrapAuth } from '../../api/auth-requests.ts';
import { deviceName } from './device-name.ts';
import { SettingsListItem, SettingsList } from './settings-list.tsx';
import { NameDialog } from './name-dialog.tsx';
import { findUnusedName } from './parse-names.ts';
import { ConfirmMutationDialog } from './confirm-mutation-dialog.tsx';
import { QueryContent, SettingsSection, SettingsSectionNote } from './settings-section.tsx';
import { passkeysQuery } from './security-queries.ts';
import { securityText } from './security-text.ts';
import { useSecurityMutation } from './use-security-mutation.ts';
import { useSecuritySearchParams } from './use-security-search-params.ts';

const text = securityText.passkeys;
const headingId = 'security-passkeys';

const passkeyName = (passkey: PasskeyListItem): string => passkey.friendly_name ?? text.unnamed;

const rename = async ({ id, name }: { id: string; name: string }): Promise<void> => {
  await unwrapAuth(auth.passkey.update({ passkeyId: id, friendlyName: name }));
};

/** Registers a passkey, then names it, because the client registers without a name. */
const register = async (name: string): Promise<void> => {
  const { id } = await unwrapAuth(auth.registerPasskey(), fromWebAuthnError);
  await rename({ id, name }).catch(() =>
    toast({ action: 'name-passkey', title: text.addDone, description: text.unnamed }),
  );
};

export function PasskeysSection(): React.JSX.Element {
  const query = useQuery(passkeysQuery);
  const { adding, add } = useSecuritySearchParams();
  const [renaming, setRenaming] = useState<PasskeyListItem>();
  const [removing, setRemoving] = useState<PasskeyListItem>();
  const addMutation = useSecurityMutation<string>({
    run: register,
    errorTitle: '',
    successToast: (name) => ({ title: text.addDone, description: text.addDoneDescription(name) }),
  });
  const renameMutation = useSecurityMutation<{ id: string; name: string }>({
    run: rename,
    errorTitle: '',
    successToast: () => ({ title: text.renamed }),
  });
  const removeMutation = useSecurityMutation<PasskeyListItem>({
    run: async ({ id }) => void (await unwrapAuth(auth.passkey.delete({ passkeyId: id }))),
    errorTitle: text.removeFailed,
    successToast: (passkey) => ({
      title: text.removed,
      description: text.removedDescription(passkeyName(passkey)),
    }),
  });
  return (
    <SettingsSection
      id={headingId}
      title={text.title}
      description={text.description}
      action={
        <Button variant="outline" size="sm" onClick={() => add('passkey')}>
          <Plus aria-hidden />
          {text.add}
        </Button>
      }
    >
      <QueryContent query={query} errorTitle={text.loadFailed} rows={1}>
        {(passkeys) =>
          passkeys.length === 0 ? (
            <SettingsSectionNote>{text.empty}</SettingsSectionNote>
          ) : (
            <SettingsList label={text.title}>
              {passkeys.map((passkey) => (
                <PasskeyItem
                  key={passkey.id}
                  passkey={passkey}
                  onRename={() => setRenaming(passkey)}
                  onRemove={() => setRemoving(passkey)}
                />
              ))}
            </SettingsList>
          )
        }
      </QueryContent>
      <NameDialog
        open={adding === 'passkey'}
        onClose={() => add(undefined)}
        title={text.addTitle}
        description={text.addDescription}
        name={findUnusedName(
          (number) =>
            number === 1 ? deviceName(navigator.userAgent) : `${deviceName(navigator.userAgent)} ${number}`,
          query.data?.map(passkeyName) ?? [],
        )}
        submitLabel={text.addSubmit}
        pendingLabel={text.adding}
        onSubmit={(name) => addMutation.mutateAsync(name)}
      />
      <NameDialog
        open={renaming !== undefined}
        onClose={() => setRenaming(undefined)}
        title={text.renameTitle}
        name={renaming === undefined ? '' : passkeyName(renaming)}
        submitLabel={text.renameSubmit}
        pendingLabel={text.renaming}
        onSubmit={(name) => renameMutation.mutateAsync({ id: renaming?.id ?? '', name })}
      />
      <ConfirmMutationDialog
        subject={removing}
        onClose={() => setRemoving(undefined)}
        title={(passkey) => text.removeTitle(passkeyName(passkey))}
        description={() => text.removeDescription}
        confirmLabel={text.removeConfirm}
        pendingLabel={text.removing}
        mutation={removeMutation}
        headingId={headingId}
      />
    </SettingsSection>
  );
}

interface PasskeyItemProps {
  passkey: PasskeyListItem;
  onRename: () => void;
  onRemove: () => void;
}

function PasskeyItem({ passkey, onRename, onRemove }: PasskeyItemProps): React.JSX.Element {
  const name = passkeyName(passkey);
  return (
    <SettingsListItem
      icon={<UserRoundKey />}
      name={name}
      details={
        <>
          {text.added} <Time value={passkey.created_at} /> ·{' '}
          {passkey.last_used_at === undefined ? (
            text.neverUsed
          ) : (
            <>
              {text.lastUsed} <Time value={passkey.last_used_at} />
            </>
          )}
        </>
      }
      actions={
        <>
          <Button variant="outline" size="sm" aria-label={text.renameLabel(name)} onClick={onRename}>
            {securityText.rename}
          </Button>
          <Button variant="outline" size="sm" aria-label={text.removeLabel(name)} onClick={onRemove}>
            {securityText.remove}
          </Button>
        </>
      }
    />
  );
}
