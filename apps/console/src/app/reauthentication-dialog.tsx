/** Reauthenticates the user before a sensitive change: by a second factor, the password or an emailed code. */
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { auth } from '../api/auth.ts';
import { errorMessage } from '../api/errors.ts';
import { hasFeature } from '../api/runtime-config.ts';
import { showRecoveryCodeNotice } from '../features/auth/recovery-code-notice.ts';
import { SecondFactorForm } from '../features/auth/second-factor-form.tsx';
import {
  credentialError,
  ReauthenticationField,
  sendCodeOptions,
  useReauthenticationMethod,
} from '../features/security/reauthentication-field.tsx';
import { type CurrentUser, currentUserQuery } from '../features/security/security-queries.ts';
import { securityText } from '../features/security/security-text.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import type { ReauthenticationRequest } from '../session/reauthentication-request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { QuotedText } from '../ui/quoted-text.tsx';

const text = securityText.reauthentication;

interface ReauthenticationDialogProps {
  open: boolean;
  request: ReauthenticationRequest | undefined;
}

export function ReauthenticationDialog({ open, request }: ReauthenticationDialogProps): React.JSX.Element {
  const { data: user, error, isFetching, refetch } = useQuery({ ...currentUserQuery, enabled: open });
  const settle = (verified: boolean): void => request?.settle(verified);
  const byFactor = user !== undefined && user.factors.length > 0;
  if (user !== undefined && !byFactor) return <CredentialDialog open={open} user={user} settle={settle} />;
  return (
    <Dialog
      // Wait until the method is known, so that its field gets the initial focus.
      open={open && (byFactor || error !== null)}
      title={text.title}
      description={byFactor ? text.byFactor : text.description}
      size="md"
      onOpenChange={(next) => {
        if (!next) settle(false);
      }}
    >
      {byFactor && (
        <SecondFactorForm
          onVerified={(byRecoveryCode) => {
            settle(true);
            if (byRecoveryCode) void showRecoveryCodeNotice();
          }}
        />
      )}
      {!byFactor && error !== null && (
        <ErrorState
          title={securityText.account.loadFailed}
          description={errorMessage(error)}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
    </Dialog>
  );
}

interface CredentialDialogProps {
  open: boolean;
  user: CurrentUser;
  settle: (verified: boolean) => void;
}

function CredentialDialog({ open, user, settle }: CredentialDialogProps): React.JSX.Element {
  // A user without a password, for example from an OAuth provider, starts with an emailed code.
  const credential = useReauthenticationMethod(user.email, user.hasPassword ? 'password' : undefined);
  const { method, choose } = credential;
  const dialog = {
    open,
    title: text.title,
    description: text.description,
    size: 'md',
    onClose: settle,
    onClosed: () => choose(undefined),
  } as const;
  // Both steps are the same element, so the dialog stays open.
  if (method === undefined) {
    return (
      <FormDialog
        {...dialog}
        {...sendCodeOptions(() => choose('code'))}
        schema={z.object({})}
        defaults={{}}
        hasNextStep
        submitLabel={text.send}
        pendingLabel={securityText.account.sendingCode}
      >
        {() => (
          <p className="text-sm text-muted wrap-anywhere">
            <QuotedText>
              {hasFeature('local-mailbox') ? text.sendToWithoutMail : text.sendTo(user.email)}
            </QuotedText>
          </p>
        )}
      </FormDialog>
    );
  }
  return (
    <FormDialog
      {...dialog}
      step={user.hasPassword ? undefined : 'code'}
      action="reauthenticate"
      send={(typed) =>
        auth.request('/reauthenticate', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(credential.toBody(typed.credential)),
        })
      }
      fieldErrors={(error) => ({ credential: credentialError(error) ?? errorMessage(error) })}
      schema={credential.schema}
      defaults={{ credential: '' }}
      submitLabel={text.submit}
      pendingLabel={text.submitting}
    >
      {(form) => <ReauthenticationField form={form} email={user.email} credential={credential} />}
    </FormDialog>
  );
}
