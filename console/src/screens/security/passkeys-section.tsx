/** Passkeys: adding, naming and removing them. */
import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import UserRoundKey from 'lucide-react/icons/user-round-key';
import { useState } from 'react';
import { auth, type PasskeyListItem } from '../../backend-auth.ts';
import { toast } from '../../ui/toast.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { fromWebAuthnError } from '../../webauthn-error.ts';
import { settled } from './auth-calls.ts';
import { deviceName } from './device-name.ts';
import { Item, ItemList } from './item-list.tsx';
import { NameDialog } from './name-dialog.tsx';
import { freeName } from './names.ts';
import { Question } from './question.tsx';
import { Loaded, Section, SectionNote } from './section.tsx';
import { passkeysQuery } from './security-queries.ts';
import { securityText } from './security-text.ts';
import { useAct } from './use-act.ts';
import { useSecuritySearch } from './use-security-search.ts';

const text = securityText.passkeys;
const headingId = 'security-passkeys';

const nameOf = (passkey: PasskeyListItem): string => passkey.friendly_name ?? text.unnamed;

const rename = async ({ id, name }: { id: string; name: string }): Promise<void> => {
  await settled(auth.passkey.update({ passkeyId: id, friendlyName: name }));
};

/** The client registers without a name, so the name follows. */
const register = async (name: string): Promise<void> => {
  const { id } = await settled(auth.registerPasskey(), fromWebAuthnError);
  await rename({ id, name }).catch(() =>
    toast({ action: 'name-passkey', title: text.addDone, description: text.unnamed }),
  );
};

export function PasskeysSection(): React.JSX.Element {
  const query = useQuery(passkeysQuery);
  const { adding, add } = useSecuritySearch();
  const [renaming, setRenaming] = useState<PasskeyListItem>();
  const [removing, setRemoving] = useState<PasskeyListItem>();
  const adds = useAct<string>({
    run: register,
    failed: '',
    done: (name) => ({ title: text.addDone, description: text.addDoneDescription(name) }),
  });
  const renames = useAct<{ id: string; name: string }>({
    run: rename,
    failed: '',
    done: () => ({ title: text.renamed }),
  });
  const removes = useAct<PasskeyListItem>({
    run: async ({ id }) => void (await settled(auth.passkey.delete({ passkeyId: id }))),
    failed: text.removeFailed,
    done: (passkey) => ({ title: text.removed, description: text.removedDescription(nameOf(passkey)) }),
  });
  return (
    <Section
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
      <Loaded query={query} failed={text.loadFailed} rows={1}>
        {(passkeys) =>
          passkeys.length === 0 ? (
            <SectionNote>{text.empty}</SectionNote>
          ) : (
            <ItemList label={text.title}>
              {passkeys.map((passkey) => (
                <PasskeyItem
                  key={passkey.id}
                  passkey={passkey}
                  onRename={() => setRenaming(passkey)}
                  onRemove={() => setRemoving(passkey)}
                />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      <NameDialog
        open={adding === 'passkey'}
        onClose={() => add(undefined)}
        title={text.addTitle}
        description={text.addDescription}
        name={freeName(
          (number) =>
            number === 1 ? deviceName(navigator.userAgent) : `${deviceName(navigator.userAgent)} ${number}`,
          query.data?.map(nameOf) ?? [],
        )}
        submitLabel={text.addSubmit}
        pendingLabel={text.adding}
        onSubmit={(name) => adds.mutateAsync(name)}
      />
      <NameDialog
        open={renaming !== undefined}
        onClose={() => setRenaming(undefined)}
        title={text.renameTitle}
        name={renaming === undefined ? '' : nameOf(renaming)}
        submitLabel={text.renameSubmit}
        pendingLabel={text.renaming}
        onSubmit={(name) => renames.mutateAsync({ id: renaming?.id ?? '', name })}
      />
      <Question
        subject={removing}
        onClose={() => setRemoving(undefined)}
        title={(passkey) => text.removeTitle(nameOf(passkey))}
        description={() => text.removeDescription}
        confirmLabel={text.removeConfirm}
        pendingLabel={text.removing}
        act={removes}
        headingId={headingId}
      />
    </Section>
  );
}

interface PasskeyItemProps {
  passkey: PasskeyListItem;
  onRename: () => void;
  onRemove: () => void;
}

function PasskeyItem({ passkey, onRename, onRemove }: PasskeyItemProps): React.JSX.Element {
  const name = nameOf(passkey);
  return (
    <Item
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
