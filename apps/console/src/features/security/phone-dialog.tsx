/** Enrolls a phone as second factor: asks for the number, then verifies the code of the first text message. */
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

interface Enrollment {
  readonly id: string;
  readonly challengeId: string;
}

interface PhoneDialogProps {
  open: boolean;
  onClose: () => void;
  usedNames: readonly string[];
}

export function PhoneDialog({ open, onClose, usedNames }: PhoneDialogProps): React.JSX.Element {
  const [enrollment, setEnrollment] = useState<Enrollment>();
  const cancel = (): void => {
    onClose();
    if (enrollment !== undefined) discardUnverifiedFactor(enrollment.id);
  };
  const verifyMutation = useSecurityMutation<string>({
    run: async (code) => {
      if (enrollment === undefined) return;
      const { id: factorId, challengeId } = enrollment;
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
      size="md"
      onOpenChange={(next) => {
        if (!next) cancel();
      }}
      onClosed={() => setEnrollment(undefined)}
    >
      {enrollment === undefined ? (
        <SingleFieldForm
          label={text.number}
          helpText={text.numberHelpText}
          input={{ type: 'tel', name: 'phone', autoComplete: 'tel' }}
          read={parsePhoneNumber}
          submitLabel={text.submit}
          pendingLabel={text.submitting}
          onCancel={onClose}
          onSubmit={async (number) =>
            setEnrollment(await enroll(findUnusedName(text.suggestion, usedNames), number))
          }
        />
      ) : (
        <CodeForm
          helpText={text.codeHelpText}
          wrongCode={text.wrongCode}
          onCancel={cancel}
          onSubmit={(code) => verifyMutation.mutateAsync(code)}
        />
      )}
    </Dialog>
  );
}

/** Enrolls the number and sends a code to it. Removes the factor if the message cannot be sent. */
const enroll = async (friendlyName: string, phone: string): Promise<Enrollment> => {
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

const parsePhoneNumber = (typed: string): ParseResult => {
  const value = typed.replaceAll(/[\s().-]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(value) ? { ok: true, value } : { ok: false, error: text.numberError };
};
