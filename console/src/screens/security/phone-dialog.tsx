/** Adding a phone as second step: the number, then the code of the first message. */
import { useState } from 'react';
import { auth } from '../../backend-auth.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { settled } from './auth-calls.ts';
import { CodeForm } from './code-form.tsx';
import { freeName } from './names.ts';
import { OneFieldForm, type Reading } from './one-field-form.tsx';
import { securityText } from './security-text.ts';
import { beginUnder, forgetUnfinished } from './unfinished-factors.ts';
import { useAct } from './use-act.ts';

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
    if (enrolment !== undefined) forgetUnfinished(enrolment.id);
  };
  const verifies = useAct<string>({
    run: async (code) => {
      if (enrolment === undefined) return;
      const { id: factorId, challengeId } = enrolment;
      await settled(auth.mfa.verify({ factorId, challengeId, code }));
    },
    failed: '',
    done: () => ({ title: text.done, description: text.doneDescription }),
    onDone: onClose,
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
        <OneFieldForm
          label={text.number}
          hint={text.numberHint}
          input={{ type: 'tel', name: 'phone', autoComplete: 'tel' }}
          read={readNumber}
          submitLabel={text.submit}
          pendingLabel={text.submitting}
          onCancel={onClose}
          onSubmit={async (number) => setEnrolment(await begin(freeName(text.suggestion, taken), number))}
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
  const { id } = await beginUnder(friendlyName, () =>
    settled(auth.mfa.enroll({ factorType: 'phone', friendlyName, phone })),
  );
  try {
    const challenge = await settled(auth.mfa.challenge({ factorId: id, channel: 'sms' }));
    return { id, challengeId: challenge.id };
  } catch (error) {
    forgetUnfinished(id);
    throw error;
  }
};

const readNumber = (typed: string): Reading => {
  const value = typed.replaceAll(/[\s().-]/g, '');
  return /^\+[1-9]\d{6,14}$/.test(value) ? { ok: true, value } : { ok: false, problem: text.numberProblem };
};
