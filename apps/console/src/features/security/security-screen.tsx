/** Security screen of the current user: profile, second factors, recovery codes, passkeys, sessions and identities. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hasFeature } from '../../api/runtime-config.ts';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { AccountSection } from './account-section.tsx';
import { FactorsSection } from './factors-section.tsx';
import { IdentitiesSection } from './identities-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { RecoverySection } from './recovery-section.tsx';
import { authSettingsQuery } from './security-queries.ts';
import { securityText as text } from './security-text.ts';
import { SessionsSection } from './sessions-section.tsx';

export function SecurityScreen(): React.JSX.Element {
  const { data: settings } = useQuery(authSettingsQuery);
  const hasExtensions = hasFeature('extensions');
  const [offersCodes, setOffersCodes] = useState(false);
  return (
    <div className="grid max-w-3xl content-start gap-4">
      <ScreenHeader title={text.title} description={text.description} />
      {hasExtensions && <AccountSection />}
      <FactorsSection onFirstAdded={() => setOffersCodes(true)} />
      {hasExtensions && <RecoverySection offered={offersCodes} onOffered={() => setOffersCodes(false)} />}
      {hasFeature('passkeys') && settings?.passkeys !== false && <PasskeysSection />}
      {hasExtensions && <SessionsSection />}
      <IdentitiesSection />
    </div>
  );
}
