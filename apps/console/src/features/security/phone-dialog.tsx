/** Adding a phone as second step: the number, then the code of the first message. */
import { useState } from 'react';
import { auth } from '../../api/auth.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { unwrapAuth } from '../../api/auth-requests.ts';
import { CodeForm } from './code-form.tsx';
import { findUnusedName } from './parse-names.ts';
import { SingleFieldForm, type ParseResult } from './single-field-form.tsx';
import { securityText } from './security-text.ts';
import { enrollWithRetry, discardUnverifiedFactor } from './unverified-factors.ts';
import { useSecurityMutation } from './use-security-mutation.ts';

const text = securityText.phone;

interface Enrolment {
  readonly id: string;
  readonly challengeId: string;
}

interface PhoneDialogProps {
  open: boolean;
  onClose: () => void;
  taken: readonly string[];
}

export function PhoneDialog({ open, onClose, taken }: PhoneDialogProps): React.JSX.Element {
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const giveUp = (): void => {
    onClose();
    if (enrolment !== undefined) discardUnverifiedFactor(enrolment.id);
  };
  const verifies = useSecurityMutation<string>({
    run: async (code) => {
      if (enrolment === undefined) return;
      const { id: factorId, challengeId } = enrolment;
      await unwrapAuth(auth.mfa.verify({ factorId, challengeId, code }));
    },
    errorTitle: '',
    successToast: () => ({ title: text.done, description: text.doneDescription }),
    onSuccess: onClose,
  });
  return (
    <Dialog
      open={open}
      title={text.title}
      description={text.description}
      className="max-w-md"
      onOpenChange={(next) => {
        if (!next) giveUp();
      }}
      onClosed={() => setEnrolment(undefined)}
    >
      {enrolment === undefined ? (
        <SingleFieldForm
          label={text.number}
          hint={text.numberHint}
          input={{ type: 'tel', name: 'phone', autoComplete: 'tel' }}
          read={readNumber}
          submitLabel={text.submit}
          pendingLabel={text.submitting}
          onCancel={onClose}
          onSubmit={async (number) =>
            setEnrolment(await begin(findUnusedName(text.suggestion, taken), number))
          }
        />
      ) : (
        <CodeForm
          hint={text.codeHint}
          wrongCode={text.wrongCode}
          onCancel={giveUp}
          onSubmit={(code) => verifies.mutateAsync(code)}
        />
      )}
    </Dialog>
  );
}

/** Writes a code to the number; a factor whose message could not be sent is taken back. */
const begin = async (friendlyName: string, phone: string): Promise<Enrolment> => {
  const { id } = await enrollWithRetry(friendlyName, () =>
    unwrapAuth(auth.mfa.enroll({ factorType: 'phone', friendlyName, phone })),
  );
  try {
    const challenge = await unwrapAuth(auth.mfa.challenge({ factorId: id, channel: 'sms' }));
    return { id, challengeId: challenge.id };
  } catch (error) {
    discardUnverifiedFactor(id);
    throw error;
  }
};

const readNumber = (typed: string): ParseResult => {
  const value = typed.replaceAll(/[\s().-]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(value) ? { ok: true, value } : { ok: false, problem: text.numberProblem };
};
