/** Shows the number of remaining recovery codes and generates new ones. */
import { useQuery } from '@tanstack/react-query';
import LifeBuoy from 'lucide-react/icons/life-buoy';
import { useState } from 'react';
import { enabledIf } from '../../api/runtime-config.ts';
import { auth, unwrap } from '../../api/auth.ts';
import { Button } from '../../ui/button.tsx';
import { SettingsListItem, SettingsList } from './settings-list.tsx';
import { ConfirmSubmitDialog } from './confirm-submit-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { QueryContent, SettingsSection, SettingsSectionNote } from './settings-section.tsx';
import { currentUserQuery, type RecoveryCodeCount, recoveryCodesQuery } from './security-queries.ts';
import { securityText } from './security-text.ts';
import { type SubmitOptions, useSubmit } from '../../forms/use-submit.ts';
import { useSecurityChange } from './use-security-change.ts';

const text = securityText.recovery;
const headingId = 'security-recovery';
/** The section shows a warning at this number of remaining codes. */
const lowCodeCount = 3;

interface RecoverySectionProps {
  /** The first second factor was just added: a dialog offers codes if there are none. */
  offered: boolean;
  /** The user has decided. */
  onOffered: () => void;
}

export function RecoverySection({ offered, onOffered }: RecoverySectionProps): React.JSX.Element {
  const user = useQuery(currentUserQuery);
  const hasFactor = (user.data?.factors.length ?? 0) > 0;
  const query = useQuery({ ...recoveryCodesQuery, ...enabledIf(hasFactor) });
  const [replacing, setReplacing] = useState<RecoveryCodeCount>();
  const [codes, setCodes] = useState<readonly string[]>();
  const result = { action: 'recovery-codes', done: setCodes, failed: text.failed };
  const left = hasFactor ? query.data : undefined;
  return (
    <SettingsSection
      id={headingId}
      title={text.title}
      description={text.description}
      action={
        left === null ? (
          <CreateButton {...result} />
        ) : (
          left !== undefined && (
            <Button variant="outline" size="sm" onClick={() => setReplacing(left)}>
              {text.regenerate}
            </Button>
          )
        )
      }
    >
      {user.data !== undefined && !hasFactor ? (
        <SettingsSectionNote>{text.needsFactor}</SettingsSectionNote>
      ) : (
        // The section of second factors shows the error of the user query.
        !(user.data === undefined && user.isError) && (
          <QueryContent query={query} errorTitle={text.loadFailed} rows={1}>
            {(found) =>
              found === null ? (
                <SettingsSectionNote>{text.none}</SettingsSectionNote>
              ) : (
                <CodesLeft left={found} />
              )
            }
          </QueryContent>
        )
      )}
      <ConfirmSubmitDialog
        subject={replacing}
        onClose={() => setReplacing(undefined)}
        title={() => text.regenerateTitle}
        description={() => text.regenerateDescription}
        confirmLabel={text.regenerateConfirm}
        pendingLabel={text.creating}
        {...result}
        send={async () => (await unwrap(auth.mfa.recoveryCodes.regenerate())).codes}
        headingId={headingId}
      />
      <ConfirmSubmitDialog
        subject={offered && left === null ? text.offer : undefined}
        onClose={onOffered}
        title={({ title }) => title}
        description={({ description }) => description}
        confirmLabel={text.create}
        cancelLabel={text.offer.later}
        destructive={false}
        pendingLabel={text.creating}
        {...result}
        send={generateCodes}
        headingId={headingId}
      />
      <RecoveryCodesDialog codes={codes} email={user.data?.email ?? ''} onClose={() => setCodes(undefined)} />
    </SettingsSection>
  );
}

const generateCodes = async (): Promise<readonly string[]> =>
  (await unwrap(auth.mfa.recoveryCodes.generate())).codes;

function CreateButton(
  result: Pick<SubmitOptions<void, readonly string[]>, 'action' | 'done' | 'failed'>,
): React.JSX.Element {
  const { pending, submit } = useSubmit(
    useSecurityChange<void, readonly string[]>({
      ...result,
      send: generateCodes,
    }),
  );
  return (
    <Button size="sm" pending={pending} pendingLabel={text.creating} onClick={() => void submit()}>
      {text.create}
    </Button>
  );
}

function CodesLeft({ left }: { left: RecoveryCodeCount }): React.JSX.Element {
  const warning =
    left.remaining === 0 ? text.noneLeft : left.remaining <= lowCodeCount ? text.few : undefined;
  return (
    <SettingsList label={text.title}>
      <SettingsListItem
        icon={<LifeBuoy />}
        name={text.remaining(left.remaining, left.total)}
        details={warning === undefined ? text.enough : <span className="text-destructive">{warning}</span>}
      />
    </SettingsList>
  );
}
