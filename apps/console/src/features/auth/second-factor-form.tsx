/**
 * The second step of signing in (on /auth, or over a page whose session was lost): by authenticator
 * app, security key, phone, or a recovery code when the other ways are out of reach.
 */
import { useCallback, useEffect, useState } from 'react';
import type { SecondFactor } from './auth-service.ts';
import { errorMessage } from '../../api/errors.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import { loadAuthService } from './load-auth-service.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { VerificationCodeForm } from './verification-code-form.tsx';
import { SecondFactorKey } from './second-factor-key.tsx';
import { SecondFactorPhone } from './second-factor-phone.tsx';
import { LoadingScreen } from '../../ui/loading-screen.tsx';

interface SecondFactorFormProps {
  onVerified: () => void;
}

export function SecondFactorForm({ onVerified }: SecondFactorFormProps): React.JSX.Element {
  const { factors, failure, load } = useFactors();
  const [chosen, setChosen] = useState<string>();
  const [recovering, setRecovering] = useState(false);
  const hasRecoveryCodes = hasFeature('recovery-codes');
  const unusable = factors?.length === 0 && !hasRecoveryCodes;
  if (failure !== undefined || unusable) {
    return (
      <ErrorState
        title="Your second step could not be loaded"
        description={failure ?? 'None of your second factors can be used here.'}
        onRetry={load}
        retrying={false}
      />
    );
  }
  if (factors === undefined) return <LoadingScreen />;
  const factor = factors.find(({ id }) => id === chosen) ?? factors[0];
  if (recovering || factor === undefined) {
    return (
      <div className="grid gap-4">
        <RecoveryCode onVerified={onVerified} />
        {factor !== undefined && (
          <OtherWay label="Go back to the usual second step" onChoose={() => setRecovering(false)} />
        )}
      </div>
    );
  }
  return (
    <div className="grid gap-4">
      {factors.length > 1 && (
        <Field
          label="Second step"
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
      <FactorStep key={factor.id} factor={factor} onVerified={onVerified} />
      {hasRecoveryCodes && <OtherWay label="Use a recovery code" onChoose={() => setRecovering(true)} />}
    </div>
  );
}

/** Undefined until known; `load` asks again after a failure. */
function useFactors(): {
  factors: readonly SecondFactor[] | undefined;
  failure: string | undefined;
  load: () => void;
} {
  const [factors, setFactors] = useState<readonly SecondFactor[]>();
  const [failure, setFailure] = useState<string>();
  const load = useCallback(() => {
    setFailure(undefined);
    loadAuthService()
      .then((service) => service.secondFactors())
      .then(setFactors, (error: unknown) => setFailure(errorMessage(error)));
  }, []);
  useEffect(load, [load]);
  return { factors, failure, load };
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
      hint="The six digits that your authenticator app shows now."
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
      hint="One of the codes that you kept when you set up your second step. Each works once."
      submitLabel="Verify recovery code"
      kind="recovery"
      onSubmit={async (code) => (await loadAuthService()).verifyRecoveryCode(code)}
      onVerified={onVerified}
    />
  );
}

function OtherWay({ label, onChoose }: { label: string; onChoose: () => void }): React.JSX.Element {
  return (
    <Button variant="link" className="h-8 justify-self-center px-1" onClick={onChoose}>
      {label}
    </Button>
  );
}
