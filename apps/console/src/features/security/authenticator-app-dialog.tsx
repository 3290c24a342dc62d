/** Enrolls an authenticator app: requests a name, shows the key, then verifies the first code. */
import { useState } from 'react';
import { auth, unwrap } from '../../api/auth.ts';
import { runtimeConfig } from '../../api/backend.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import type { DialogProps } from '../../ui/dialog.tsx';
import { useCopyWithToast } from '../../ui/use-copy-with-toast.ts';
import { codeField, findUnusedName, nameField } from './security-fields.tsx';
import { securityText } from './security-text.ts';
import { enrollWithRetry, discardUnverifiedFactor } from './unverified-factors.ts';
import { useSecurityChange } from './use-security-change.ts';

const text = securityText.app;

interface Enrollment {
  readonly id: string;
  /** `data:` URL. */
  readonly qrCode: string;
  readonly secret: string;
}

const enroll = async (friendlyName: string, signal: AbortSignal): Promise<Enrollment> => {
  const issuer = runtimeConfig.productName;
  const { id, totp } = await enrollWithRetry(
    friendlyName,
    () => unwrap(auth.mfa.enroll({ factorType: 'totp', friendlyName, issuer })),
    signal,
  );
  return { id, qrCode: totp.qr_code, secret: totp.secret };
};

interface AppDialogProps {
  open: boolean;
  /** True if the open state is in the URL. */
  inUrl: boolean;
  /** `confirmed`: the factor was added. */
  onClose: (confirmed: boolean) => void;
  /** Names of the enrolled second factors. */
  usedNames: readonly string[];
  finalFocus?: DialogProps['finalFocus'];
}

export function AuthenticatorAppDialog({
  open,
  inUrl,
  onClose,
  usedNames,
  finalFocus,
}: AppDialogProps): React.JSX.Element {
  const [enrollment, setEnrollment] = useState<Enrollment>();
  const verification = useSecurityChange<{ code: string }>({
    action: 'add-app',
    send: async ({ code }) =>
      void (await unwrap(auth.mfa.challengeAndVerify({ factorId: enrollment?.id ?? '', code }))),
    done: () => ({ title: text.done, description: text.doneDescription(usedNames.length === 0) }),
  });
  const dialog = {
    open,
    inUrl,
    finalFocus,
    title: text.title,
    size: 'md',
    onClosed: () => setEnrollment(undefined),
  } as const;
  // Both steps are the same element, so the dialog stays open.
  if (enrollment === undefined) {
    return (
      <FormDialog
        {...dialog}
        {...nameField(findUnusedName(text.suggestion, usedNames), { helpText: text.nameHelpText })}
        description={text.description}
        onClose={onClose}
        action="enroll-app"
        send={({ name }, signal) => enroll(name, signal)}
        done={setEnrollment}
        hasNextStep
        submitLabel={text.next}
        pendingLabel={text.starting}
      />
    );
  }
  return (
    <FormDialog
      {...dialog}
      {...verification}
      {...codeField(text.codeHelpText, text.wrongCode, <Key enrollment={enrollment} />)}
      onClose={(confirmed) => {
        onClose(confirmed);
        if (!confirmed) discardUnverifiedFactor(enrollment.id);
      }}
    />
  );
}

function Key({ enrollment: { qrCode, secret } }: { enrollment: Enrollment }): React.JSX.Element {
  return (
    <>
      <p className="text-sm text-muted">{text.scanTitle}</p>
      <img
        src={qrCode}
        alt={text.qrAlternative}
        width={200}
        height={200}
        // Scanners need the white margin in the dark theme too.
        className="justify-self-center rounded-md border border-border bg-white p-1"
      />
      <Secret secret={secret} />
    </>
  );
}

function Secret({ secret }: { secret: string }): React.JSX.Element {
  const { copied, copy } = useCopyWithToast({ action: 'copy-secret' });
  return (
    <div className="grid gap-1.5">
      <p className="text-sm text-muted">{text.secret}</p>
      <div className="flex items-center gap-2 rounded-md border border-border bg-subtle py-1.5 pr-1.5 pl-3">
        <code
          translate="no"
          className="min-w-0 flex-1 font-mono text-[0.8125rem] leading-5 [text-wrap:balance] wrap-anywhere select-all"
        >
          {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
        </code>
        <Button variant="outline" size="sm" onClick={() => copy(secret)}>
          <span aria-live="polite">{copied ? text.copied : text.copy}</span>
        </Button>
      </div>
    </div>
  );
}
