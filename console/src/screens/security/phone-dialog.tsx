/** Adding a phone as second step: the number, then the code of the first message. */
import { useRef, useState } from 'react';
import { auth } from '../../backend-auth.ts';
import { messageOf } from '../../backend-error.ts';
import { Dialog, FormActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { useSubmission } from '../../ui/use-submission.ts';
import { settled } from './auth-calls.ts';
import { CodeForm } from './code-form.tsx';
import { freeName } from './name-field.tsx';
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
        <NumberForm name={freeName(text.suggestion, taken)} onCancel={onClose} onSent={setEnrolment} />
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

interface NumberFormProps {
  name: string;
  onCancel: () => void;
  onSent: (enrolment: Enrolment) => void;
}

function NumberForm({ name, onCancel, onSent }: NumberFormProps): React.JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();
  const attempt = async (): Promise<boolean> => {
    const phone = (input.current?.value ?? '').replaceAll(/[\s().-]/g, '');
    if (/^\+[1-9]\d{6,14}$/.test(phone)) {
      onSent(await begin(name, phone));
    } else {
      setError(text.numberProblem);
      input.current?.focus();
    }
    return false;
  };
  const { pending, submit } = useSubmission(attempt, (failure) => setError(messageOf(failure)));
  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <Field
        label={text.number}
        error={error}
        hint={text.numberHint}
        render={(control) => <Input {...control} ref={input} type="tel" name="phone" autoComplete="tel" />}
      />
      <FormActions
        cancelLabel={securityText.cancel}
        onCancel={onCancel}
        submitLabel={text.submit}
        pending={pending}
        pendingLabel={text.submitting}
      />
    </form>
  );
}
