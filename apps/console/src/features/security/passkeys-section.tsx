/** Lists, adds, renames and removes passkeys. */
import { deviceName } from '@lanternrock/contract/device-name';
import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import UserRoundKey from 'lucide-react/icons/user-round-key';
import { useState } from 'react';
import { auth, type PasskeyListItem, refreshSession, unwrap } from '../../api/auth.ts';
import { findField } from '../../api/json.ts';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { serverTimeMs } from '../../api/server-clock.ts';
import { fromWebAuthnError } from '../../api/webauthn-error.ts';
import { requireWebAuthn } from '../../api/webauthn-support.ts';
import { secondFactorRequirementQuery } from '../../shared/second-factor-requirement.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { formatDateTime } from '../../ui/format-time.ts';
import { Time } from '../../ui/time.tsx';
import { SettingsListItem, SettingsList } from './settings-list.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { findUnusedName, nameField } from './security-fields.tsx';
import { ConfirmSubmitDialog } from './confirm-submit-dialog.tsx';
import { QueryContent, SettingsSection, SettingsSectionNote } from './settings-section.tsx';
import { currentUserQuery, passkeysQuery } from './security-queries.ts';
import { securitySearchParams } from './security-search-params.ts';
import { securityText } from './security-text.ts';
import { useSecurityChange } from './use-security-change.ts';

const text = securityText.passkeys;
const headingId = 'security-passkeys';

/** Only our service sends the assurance level of a sign-in with the passkey. */
const countsAsTwoFactors = (passkey: PasskeyListItem): boolean => findField(passkey, 'aal') === 'aal2';

const passkeyName = (passkey: PasskeyListItem): string => passkey.friendly_name ?? text.unnamed;

const rename = async (passkeyId: string, friendlyName: string): Promise<void> => {
  await unwrap(auth.passkey.update({ passkeyId, friendlyName }));
};

/**
 * Registers a passkey, then names it, because the client registers without a name.
 *
 * @returns false if the passkey was registered, and saving its name failed
 */
const register = async (name: string): Promise<boolean> => {
  requireWebAuthn();
  const { id } = await unwrap(auth.registerPasskey(), {
    toApiError: (error) => fromWebAuthnError(error, 'registration'),
  });
  return rename(id, name).then(
    () => true,
    () => false,
  );
};

export function PasskeysSection(): React.JSX.Element {
  const query = useQuery(passkeysQuery);
  const { search, change } = useUrlState('/admin/me/security', securitySearchParams);
  const [renaming, setRenaming] = useState<PasskeyListItem>();
  const [removing, setRemoving] = useState<PasskeyListItem>();
  return (
    <SettingsSection
      id={headingId}
      title={text.title}
      description={text.description}
      action={
        <Button variant="outline" size="sm" onClick={() => change({ add: 'passkey' })}>
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
      <AddPasskeyDialog
        open={search.add === 'passkey'}
        onClose={() => change({ add: undefined })}
        usedNames={query.data?.map(passkeyName) ?? []}
      />
      <RenamePasskeyDialog passkey={renaming} onClose={() => setRenaming(undefined)} />
      <RemovePasskeyDialog
        passkey={removing}
        isLast={(query.data?.filter(countsAsTwoFactors).length ?? 0) <= 1}
        onClose={() => setRemoving(undefined)}
      />
    </SettingsSection>
  );
}

interface AddPasskeyDialogProps {
  open: boolean;
  onClose: () => void;
  usedNames: readonly string[];
}

function AddPasskeyDialog({ open, onClose, usedNames }: AddPasskeyDialogProps): React.JSX.Element {
  const addition = useSecurityChange<{ name: string }, boolean>({
    action: 'add-passkey',
    send: ({ name }) => register(name),
    done: (isNamed, { name }) => ({
      title: text.addDone,
      description: isNamed ? text.addDoneDescription(name) : text.addDoneUnnamed,
    }),
  });
  const device = deviceName(navigator.userAgent);
  const suggestion = (number: number): string => (number === 1 ? device : `${device} ${number}`);
  return (
    <FormDialog
      inUrl
      {...addition}
      {...nameField(findUnusedName(suggestion, usedNames))}
      open={open}
      onClose={onClose}
      title={text.addTitle}
      description={text.addDescription}
      submitLabel={text.addSubmit}
      pendingLabel={text.adding}
    />
  );
}

interface PasskeyDialogProps {
  /** Undefined while the dialog is closed. */
  passkey: PasskeyListItem | undefined;
  onClose: () => void;
}

function RenamePasskeyDialog({ passkey, onClose }: PasskeyDialogProps): React.JSX.Element {
  const change = useSecurityChange<{ name: string }>({
    action: 'rename-passkey',
    send: ({ name }) => rename(passkey?.id ?? '', name),
    done: () => ({ title: text.renamed }),
  });
  return (
    <FormDialog
      {...change}
      closesUnchanged
      {...nameField(passkey === undefined ? '' : passkeyName(passkey))}
      open={passkey !== undefined}
      onClose={onClose}
      title={text.renameTitle}
      submitLabel={text.renameSubmit}
      pendingLabel={text.renaming}
    />
  );
}

function RemovePasskeyDialog({
  passkey,
  isLast,
  onClose,
}: PasskeyDialogProps & { isLast: boolean }): React.JSX.Element {
  const { data: user } = useQuery(currentUserQuery);
  const { data: requirement } = useQuery({
    ...secondFactorRequirementQuery,
    ...enabledIf(passkey !== undefined && hasFeature('extensions')),
  });
  const dueAt = user?.factors.length === 0 ? (requirement?.due_at ?? null) : null;
  const describe = (removed: PasskeyListItem): string =>
    dueAt !== null && isLast && countsAsTwoFactors(removed)
      ? `${text.removeDescription} ${text.removeRequired(formatDateTime(dueAt), Date.parse(dueAt) <= serverTimeMs())}`
      : text.removeDescription;
  return (
    <ConfirmSubmitDialog
      subject={passkey}
      onClose={onClose}
      title={(removed) => text.removeTitle(passkeyName(removed))}
      description={describe}
      confirmLabel={text.removeConfirm}
      pendingLabel={text.removing}
      action="remove-passkey"
      send={async ({ id }) => {
        await unwrap(auth.passkey.delete({ passkeyId: id }));
        // The assurance level changes with the next access token. The passkey is removed also if this fails.
        await refreshSession().catch(() => undefined);
      }}
      done={(_, removed) => ({
        title: text.removed,
        description: text.removedDescription(passkeyName(removed)),
      })}
      failed={text.removeFailed}
      headingId={headingId}
    />
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
          {countsAsTwoFactors(passkey) && `${text.twoFactors} · `}
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
