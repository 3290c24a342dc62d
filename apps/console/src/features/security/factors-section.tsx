/** Lists, adds and removes second factors. */
import { useQuery } from '@tanstack/react-query';
import KeyRound from 'lucide-react/icons/key-round';
import Phone from 'lucide-react/icons/phone';
import Plus from 'lucide-react/icons/plus';
import ShieldAlert from 'lucide-react/icons/shield-exclamation-point';
import Smartphone from 'lucide-react/icons/smartphone';
import { useRef, useState } from 'react';
import { auth, type Factor, refreshSession, unwrap } from '../../api/auth.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import { Badge } from '../../ui/badge.tsx';
import { useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import { AuthenticatorAppDialog } from './authenticator-app-dialog.tsx';
import { SettingsListItem, SettingsList } from './settings-list.tsx';
import { PhoneDialog } from './phone-dialog.tsx';
import { ConfirmSubmitDialog } from './confirm-submit-dialog.tsx';
import { QueryContent, SettingsSection } from './settings-section.tsx';
import { SecurityKeyDialog } from './security-key-dialog.tsx';
import { authSettingsQuery, currentUserQuery } from './security-queries.ts';
import { type AddDialog, securitySearchParams } from './security-search-params.ts';
import { securityText } from './security-text.ts';

const text = securityText.factors;
const headingId = 'security-factors';

const factorKindLabel = (factor: Factor): string =>
  Object.hasOwn(text.kinds, factor.factor_type)
    ? text.kinds[factor.factor_type as keyof typeof text.kinds]
    : factor.factor_type;
const factorName = (factor: Factor): string => factor.friendly_name ?? factorKindLabel(factor);

interface FactorsSectionProps {
  /** The first factor was added. */
  onFirstAdded: () => void;
}

export function FactorsSection({ onFirstAdded }: FactorsSectionProps): React.JSX.Element {
  const query = useQuery(currentUserQuery);
  const { search, change } = useUrlState('/admin/me/security', securitySearchParams);
  const [removing, setRemoving] = useState<Factor>();
  const factors = query.data?.factors ?? [];
  const isFirst = useRef(false);
  const startAdding = (dialogName: AddDialog): void => {
    isFirst.current = factors.length === 0;
    change({ add: dialogName });
  };
  const dialog = {
    onClose: (confirmed: boolean) => {
      isFirst.current &&= confirmed;
      change({ add: undefined });
      if (confirmed && factors.length === 0) onFirstAdded();
    },
    usedNames: factors.map(factorName),
    // The first factor replaces the buttons. Base UI would focus a control that was used before them.
    finalFocus: () => (isFirst.current ? (document.getElementById(headingId) ?? true) : true),
  };
  return (
    <SettingsSection
      id={headingId}
      title={text.title}
      description={text.description}
      badge={
        query.data !== undefined && (
          <Badge variant={factors.length > 0 ? 'default' : 'outline'}>
            {factors.length > 0 ? text.on : text.off}
          </Badge>
        )
      }
      action={factors.length > 0 && <AddMenu onAdd={startAdding} />}
    >
      <QueryContent query={query} errorTitle={text.loadFailed} rows={1}>
        {(user) =>
          user.factors.length === 0 ? (
            <div className="border-t border-border">
              <EmptyState
                icon={<ShieldAlert />}
                title={text.empty}
                description={text.emptyDescription}
                action={<AddButtons onAdd={startAdding} />}
              />
            </div>
          ) : (
            <SettingsList label={text.title}>
              {user.factors.map((factor) => (
                <FactorItem key={factor.id} factor={factor} onRemove={() => setRemoving(factor)} />
              ))}
            </SettingsList>
          )
        }
      </QueryContent>
      <AuthenticatorAppDialog open={search.add === 'app'} inUrl {...dialog} />
      <SecurityKeyDialog open={search.add === 'key'} inUrl {...dialog} />
      <PhoneDialog open={search.add === 'phone'} {...dialog} />
      <RemoveFactorDialog
        factor={removing}
        isLast={factors.length <= 1}
        onClose={() => setRemoving(undefined)}
      />
    </SettingsSection>
  );
}

interface RemoveFactorDialogProps {
  /** Undefined while the dialog is closed. */
  factor: Factor | undefined;
  isLast: boolean;
  onClose: () => void;
}

function RemoveFactorDialog({ factor, isLast, onClose }: RemoveFactorDialogProps): React.JSX.Element {
  return (
    <ConfirmSubmitDialog
      subject={factor}
      onClose={onClose}
      title={(removed) => text.removeTitle(factorName(removed))}
      description={() =>
        isLast ? text.removeLastDescription(hasFeature('extensions')) : text.removeDescription
      }
      confirmLabel={text.removeConfirm}
      pendingLabel={text.removing}
      action="remove-factor"
      send={async ({ id }) => {
        await unwrap(auth.mfa.unenroll({ factorId: id }));
        // The assurance level and the stored list of factors change with the next access token.
        // The factor is removed also if this fails.
        await refreshSession().catch(() => undefined);
      }}
      done={(_, removed) => ({
        title: text.removed,
        description: text.removedDescription(factorName(removed)),
      })}
      failed={text.removeFailed}
      headingId={headingId}
    />
  );
}

interface AddProps {
  onAdd: (addition: AddDialog) => void;
}

/** Kinds of factors that the backend supports. All backends support authenticator apps. */
const useAdditions = (): readonly { addition: AddDialog; label: string; icon: React.JSX.Element }[] => {
  const { data: settings } = useQuery(authSettingsQuery);
  return [
    { addition: 'app', label: text.addApp, icon: <Smartphone aria-hidden /> },
    ...(settings?.passkeys === true
      ? [{ addition: 'key' as const, label: text.addKey, icon: <KeyRound aria-hidden /> }]
      : []),
    ...(settings?.phone === true
      ? [{ addition: 'phone' as const, label: text.addPhone, icon: <Phone aria-hidden /> }]
      : []),
  ];
};

/** All kinds as buttons, shown while the user has no factor. */
function AddButtons({ onAdd }: AddProps): React.JSX.Element {
  return (
    <div className="flex flex-wrap justify-center gap-2">
      {useAdditions().map(({ addition, label, icon }, index) => (
        <Button
          key={addition}
          variant={index === 0 ? 'default' : 'outline'}
          size="sm"
          onClick={() => onAdd(addition)}
        >
          {icon}
          {label}
        </Button>
      ))}
    </div>
  );
}

function AddMenu({ onAdd }: AddProps): React.JSX.Element {
  const additions = useAdditions();
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="outline" size="sm">
          <Plus aria-hidden />
          {text.add}
        </Button>
      }
    >
      {additions.map(({ addition, label, icon }) => (
        <MenuItem key={addition} onSelect={() => onAdd(addition)}>
          {icon}
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}

const icons = { totp: Smartphone, webauthn: KeyRound, phone: Phone } as const;

function FactorItem({ factor, onRemove }: { factor: Factor; onRemove: () => void }): React.JSX.Element {
  const name = factorName(factor);
  const Icon = Object.hasOwn(icons, factor.factor_type)
    ? icons[factor.factor_type as keyof typeof icons]
    : KeyRound;
  return (
    <SettingsListItem
      icon={<Icon />}
      name={name}
      details={
        <>
          {name !== factorKindLabel(factor) && `${factorKindLabel(factor)} · `}
          {text.added} <Time value={factor.created_at} />
        </>
      }
      actions={
        <Button variant="outline" size="sm" aria-label={text.removeLabel(name)} onClick={onRemove}>
          {securityText.remove}
        </Button>
      }
    />
  );
}
