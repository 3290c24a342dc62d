/** Form that verifies a second factor or a recovery code. */
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { SecondFactor } from './auth-service.ts';
import { errorMessage } from '../../api/errors.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import { loadAuthService } from './load-auth-service.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { VerificationCodeForm } from './verification-code-form.tsx';
import { SecondFactorKey, SecondFactorPhone } from './second-factor-methods.tsx';
import { LoadingScreen } from '../../ui/spinner.tsx';

interface SecondFactorFormProps {
  /** @param byRecoveryCode true if a recovery code replaced the factor */
  onVerified: (byRecoveryCode: boolean) => void;
  /** What follows the form. It appears with the form, because a form that appears above it would move it. */
  children?: ReactNode;
}

export function SecondFactorForm({ onVerified, children }: SecondFactorFormProps): React.JSX.Element {
  const { factors, error, load } = useFactors();
  if (factors === undefined && error === undefined) return <LoadingScreen />;
  const usable = factors !== undefined && (factors.length > 0 || hasFeature('extensions'));
  return (
    <>
      {usable ? (
        <ChosenFactor factors={factors} onVerified={onVerified} />
      ) : (
        <ErrorState
          title={
            error === undefined
              ? 'No second factor can be used here'
              : 'Your second factors could not be loaded'
          }
          description={error ?? 'Ask an administrator for help.'}
          onRetry={load}
          retrying={false}
        />
      )}
      {children}
    </>
  );
}

interface ChosenFactorProps {
  factors: readonly SecondFactor[];
  onVerified: SecondFactorFormProps['onVerified'];
}

/** The form of the first factor, and buttons to choose another one or a recovery code. */
function ChosenFactor({ factors, onVerified }: ChosenFactorProps): React.JSX.Element {
  const [chosen, setChosen] = useState<string>();
  const [recovering, setRecovering] = useState(false);
  const factor = factors.find(({ id }) => id === chosen) ?? factors[0];
  if (recovering || factor === undefined) {
    return (
      <div className="grid gap-4">
        <RecoveryCode onVerified={() => onVerified(true)} />
        {factor !== undefined && (
          <SwitchFactorButton label="Use your second factor" onClick={() => setRecovering(false)} />
        )}
      </div>
    );
  }
  return (
    <div className="grid gap-4">
      {factors.length > 1 && (
        <Field
          label="Second factor"
          render={(control) => (
            <Select
              {...control}
              value={factor.id}
              onChange={(event) => setChosen(event.target.value)}
              options={factors.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
        />
      )}
      <FactorStep key={factor.id} factor={factor} onVerified={() => onVerified(false)} />
      {hasFeature('extensions') && (
        <SwitchFactorButton label="Use a recovery code" onClick={() => setRecovering(true)} />
      )}
    </div>
  );
}

/** Loads the factors, which are undefined until then. `load` retries after an error. */
function useFactors(): {
  factors: readonly SecondFactor[] | undefined;
  error: string | undefined;
  load: () => void;
} {
  const [factors, setFactors] = useState<readonly SecondFactor[]>();
  const [error, setError] = useState<string>();
  const load = useCallback(() => {
    setError(undefined);
    loadAuthService()
      .then((service) => service.secondFactors())
      .then(setFactors, (cause: unknown) => setError(errorMessage(cause)));
  }, []);
  useEffect(load, [load]);
  return { factors, error, load };
}

function FactorStep({
  factor,
  onVerified,
}: {
  factor: SecondFactor;
  onVerified: () => void;
}): React.JSX.Element {
  if (factor.kind === 'key') return <SecondFactorKey factorId={factor.id} onVerified={onVerified} />;
  if (factor.kind === 'phone') return <SecondFactorPhone factorId={factor.id} onVerified={onVerified} />;
  return (
    <VerificationCodeForm
      label="Code"
      helpText="The six-digit code shown in your authenticator app."
      submitLabel="Verify code"
      onSubmit={async (code) => (await loadAuthService()).verifyAppCode(factor.id, code)}
      onVerified={onVerified}
    />
  );
}

function RecoveryCode({ onVerified }: { onVerified: () => void }): React.JSX.Element {
  return (
    <VerificationCodeForm
      label="Recovery code"
      helpText="One of your recovery codes. Each code works once."
      submitLabel="Verify recovery code"
      kind="recovery"
      onSubmit={async (code) => (await loadAuthService()).verifyRecoveryCode(code)}
      onVerified={onVerified}
    />
  );
}

function SwitchFactorButton({ label, onClick }: { label: string; onClick: () => void }): React.JSX.Element {
  return (
    <Button variant="link" size="inline" className="justify-self-center" onClick={onClick}>
      {label}
    </Button>
  );
}
