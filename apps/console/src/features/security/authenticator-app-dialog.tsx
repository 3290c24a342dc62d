/** Enrolls an authenticator app: asks for a name, shows the key, then verifies the first code. */
import { useState } from 'react';
import { auth, runtimeConfig } from '../../api/auth.ts';
import { errorMessage } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { useCopyToClipboard } from '../../ui/use-copy-to-clipboard.ts';
import { unwrapAuth } from '../../api/auth-requests.ts';
import { CodeForm } from './code-form.tsx';
import { findUnusedName } from './parse-names.ts';
import { NameForm } from './name-form.tsx';
import { securityText } from './security-text.ts';
import { enrollWithRetry, discardUnverifiedFactor } from './unverified-factors.ts';
import { useSecurityMutation } from './use-security-mutation.ts';

const text = securityText.app;

interface Enrollment {
  readonly id: string;
  /** `data:` URL. */
  readonly qrCode: string;
  readonly secret: string;
}

const enroll = async (friendlyName: string): Promise<Enrollment> => {
  const issuer = runtimeConfig.productName;
  const { id, totp } = await enrollWithRetry(friendlyName, () =>
    unwrapAuth(auth.mfa.enroll({ factorType: 'totp', friendlyName, issuer })),
  );
  return { id, qrCode: totp.qr_code, secret: totp.secret };
};

interface AppDialogProps {
  open: boolean;
  onClose: () => void;
  /** Names of the enrolled second factors. */
  usedNames: readonly string[];
}

export function AuthenticatorAppDialog({ open, onClose, usedNames }: AppDialogProps): React.JSX.Element {
  const [enrollment, setEnrollment] = useState<Enrollment>();
  const cancel = (): void => {
    onClose();
    if (enrollment !== undefined) discardUnverifiedFactor(enrollment.id);
  };
  return (
    <Dialog
      open={open}
      title={text.title}
      description={enrollment === undefined ? text.description : undefined}
      size="md"
      onOpenChange={(next) => {
        if (!next) cancel();
      }}
      onClosed={() => setEnrollment(undefined)}
    >
      {enrollment === undefined ? (
        <NameForm
          name={findUnusedName(text.suggestion, usedNames)}
          helpText={text.nameHelpText}
          submitLabel={text.next}
          pendingLabel={text.starting}
          onCancel={onClose}
          onSubmit={async (name) => setEnrollment(await enroll(name))}
        />
      ) : (
        <Confirmation enrollment={enrollment} onCancel={cancel} onDone={onClose} />
      )}
    </Dialog>
  );
}

interface ConfirmationProps {
  enrollment: Enrollment;
  onCancel: () => void;
  onDone: () => void;
}

function Confirmation({ enrollment, onCancel, onDone: onSuccess }: ConfirmationProps): React.JSX.Element {
  const verifyMutation = useSecurityMutation<string>({
    run: async (code) =>
      void (await unwrapAuth(auth.mfa.challengeAndVerify({ factorId: enrollment.id, code }))),
    errorTitle: '',
    successToast: () => ({ title: text.done, description: text.doneDescription }),
    onSuccess,
  });
  return (
    <div className="grid gap-5">
      <p className="text-sm text-muted">{text.scanTitle}</p>
      <img
        src={enrollment.qrCode}
        alt={text.qrAlternative}
        width={200}
        height={200}
        // Scanners need the white margin in the dark theme too.
        className="justify-self-center rounded-md border border-border bg-white p-1"
      />
      <Secret secret={enrollment.secret} />
      <CodeForm
        helpText={text.codeHelpText}
        wrongCode={text.wrongCode}
        onCancel={onCancel}
        onSubmit={(code) => verifyMutation.mutateAsync(code)}
      />
    </div>
  );
}

function Secret({ secret }: { secret: string }): React.JSX.Element {
  const { copied, copy } = useCopyToClipboard();
  return (
    <div className="grid gap-1.5">
      <p className="text-sm text-muted">{text.secret}</p>
      <div className="flex items-center gap-2 rounded-md border border-border bg-subtle py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 font-mono text-[0.8125rem] leading-5 [text-wrap:balance] wrap-anywhere select-all">
          {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
        </code>
        <Button
          variant="outline"
          size="sm"
          onClick={() => {
            void copy(secret)
              .then((done) => {
                if (!done) toast({ action: 'copy-secret', title: text.copyFailed, variant: 'destructive' });
              })
              .catch((error: unknown) =>
                toast({
                  action: 'copy-secret',
                  title: text.copyFailed,
                  description: errorMessage(error),
                  variant: 'destructive',
                }),
              );
          }}
        >
          <span aria-live="polite">{copied ? text.copied : text.copy}</span>
        </Button>
      </div>
    </div>
  );
}
