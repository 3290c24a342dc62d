/** Lists, links and unlinks external accounts. A user keeps at least one identity. */
import { useQuery } from '@tanstack/react-query';
import Link2 from 'lucide-react/icons/link-2';
import { useState } from 'react';
import { auth, type Provider, type UserIdentity, unwrap } from '../../api/auth.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { SettingsListItem, SettingsList } from './settings-list.tsx';
import { ConfirmSubmitDialog } from './confirm-submit-dialog.tsx';
import { QueryContent, SettingsSection, SettingsSectionNote } from './settings-section.tsx';
import { authSettingsQuery, currentUserQuery } from './security-queries.ts';
import { providerName, securityText } from './security-text.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { useSecurityChange } from './use-security-change.ts';

const text = securityText.identities;
const headingId = 'security-identities';

/** The service stores the email address and the phone number of a user as identities, too. */
const isExternal = ({ provider }: UserIdentity): boolean => provider !== 'email' && provider !== 'phone';

/** Returns the provider and the email address of the external account. */
const identityName = (identity: UserIdentity): string => {
  const email: unknown = identity.identity_data?.['email'];
  const provider = providerName(identity.provider);
  return typeof email === 'string' && email !== '' ? `${provider} (${email})` : provider;
};

export function IdentitiesSection(): React.JSX.Element {
  const query = useQuery(currentUserQuery);
  const [unlinking, setUnlinking] = useState<UserIdentity>();
  return (
    <SettingsSection
      id={headingId}
      title={text.title}
      description={text.description}
      action={<LinkButtons />}
    >
      <QueryContent query={query} errorTitle={text.loadFailed} rows={1}>
        {({ identities }) =>
          identities.some(isExternal) ? (
            <SettingsList label={text.title}>
              {identities.filter(isExternal).map((identity) => (
                <IdentityItem
                  key={identity.identity_id}
                  identity={identity}
                  only={identities.length === 1}
                  onUnlink={() => setUnlinking(identity)}
                />
              ))}
            </SettingsList>
          ) : (
            <SettingsSectionNote>{text.empty}</SettingsSectionNote>
          )
        }
      </QueryContent>
      <ConfirmSubmitDialog
        subject={unlinking}
        onClose={() => setUnlinking(undefined)}
        title={({ provider }) => text.unlinkTitle(providerName(provider))}
        description={(identity) => text.unlinkDescription(identityName(identity))}
        confirmLabel={text.unlinkConfirm}
        pendingLabel={text.unlinking}
        action="unlink-identity"
        send={(identity) => unwrap(auth.unlinkIdentity(identity))}
        done={(_, { provider }) => ({
          title: text.unlinked,
          description: text.unlinkedDescription(providerName(provider)),
        })}
        failed={text.unlinkFailed}
        headingId={headingId}
      />
    </SettingsSection>
  );
}

interface IdentityItemProps {
  identity: UserIdentity;
  only: boolean;
  onUnlink: () => void;
}

function IdentityItem({ identity, only, onUnlink }: IdentityItemProps): React.JSX.Element {
  const provider = providerName(identity.provider);
  const email: unknown = identity.identity_data?.['email'];
  return (
    <SettingsListItem
      icon={<Link2 />}
      name={provider}
      details={
        <>
          {typeof email === 'string' && email !== '' && <bdi translate="no">{email}</bdi>}
          {identity.created_at !== undefined && (
            <>
              {' '}
              · {text.linked} <Time value={identity.created_at} />
            </>
          )}
          {only && <span> · {text.last}</span>}
        </>
      }
      actions={
        !only && (
          <Button variant="outline" size="sm" aria-label={text.unlinkLabel(provider)} onClick={onUnlink}>
            {text.unlink}
          </Button>
        )
      }
    />
  );
}

/** One button for each configured provider that the user has not linked. */
function LinkButtons(): React.JSX.Element | null {
  const settings = useQuery(authSettingsQuery);
  const user = useQuery(currentUserQuery);
  const linked = new Set(user.data?.identities.map(({ provider }) => provider));
  const available =
    user.data === undefined ? [] : (settings.data?.providers ?? []).filter((name) => !linked.has(name));
  if (available.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {available.map((provider) => (
        <LinkButton key={provider} provider={provider} />
      ))}
    </div>
  );
}

function LinkButton({ provider }: { provider: string }): React.JSX.Element {
  const { pending, submit } = useSubmit(
    useSecurityChange({
      action: 'link-identity',
      send: async () => {
        const redirectTo = `${location.origin}/auth/callback`;
        // A custom provider may have any name, which the client passes on unchanged.
        await unwrap(auth.linkIdentity({ provider: provider as Provider, options: { redirectTo } }));
      },
      failed: text.linkFailed,
    }),
  );
  return (
    <Button
      variant="outline"
      size="sm"
      pending={pending}
      pendingLabel={text.linking}
      onClick={() => void submit()}
    >
      <Link2 aria-hidden />
      {text.link(providerName(provider))}
    </Button>
  );
}
