/** Enrolls a phone as second factor: requests the number, then verifies the code of the first text message. */
import { useState } from 'react';
import * as z from 'zod/mini';
import { auth, unwrap } from '../../api/auth.ts';
import { errorMessage } from '../../api/errors.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import type { DialogProps } from '../../ui/dialog.tsx';
import { FormField } from '../../forms/form-field.tsx';
import { codeField, findUnusedName } from './security-fields.tsx';
import { securityText } from './security-text.ts';
import { enrollWithRetry, discardUnverifiedFactor } from './unverified-factors.ts';
import { useSecurityChange } from './use-security-change.ts';

const text = securityText.phone;

interface Enrollment {
  readonly id: string;
  readonly challengeId: string;
}

interface PhoneDialogProps {
  open: boolean;
  /** `confirmed`: the factor was added. */
  onClose: (confirmed: boolean) => void;
  usedNames: readonly string[];
  finalFocus?: DialogProps['finalFocus'];
}

const phoneSchema = z.object({
  phone: z.string().check(
    z.overwrite((typed) => typed.replaceAll(/[\s().-]/g, '')),
    z.regex(/^\+[1-9]\d{6,14}$/, text.numberError),
  ),
});

export function PhoneDialog({ open, onClose, usedNames, finalFocus }: PhoneDialogProps): React.JSX.Element {
  const [enrollment, setEnrollment] = useState<Enrollment>();
  const verification = useSecurityChange<{ code: string }>({
    action: 'add-phone',
    send: async ({ code }) => {
      if (enrollment === undefined) return;
      const { id: factorId, challengeId } = enrollment;
      await unwrap(auth.mfa.verify({ factorId, challengeId, code }));
    },
    done: () => ({ title: text.done, description: text.doneDescription(usedNames.length === 0) }),
  });
  const dialog = {
    open,
    finalFocus,
    title: text.title,
    description: text.description,
    size: 'md',
    onClosed: () => setEnrollment(undefined),
  } as const;
  // Both steps are the same element, so the dialog stays open.
  if (enrollment === undefined) {
    return (
      <FormDialog
        inUrl
        {...dialog}
        onClose={onClose}
        action="enroll-phone"
        send={({ phone }, signal) => enroll(findUnusedName(text.suggestion, usedNames), phone, signal)}
        done={setEnrollment}
        hasNextStep
        fieldErrors={(error) => ({ phone: errorMessage(error) })}
        schema={phoneSchema}
        defaults={{ phone: '' }}
        submitLabel={text.submit}
        pendingLabel={text.submitting}
      >
        {(form) => (
          <FormField
            form={form}
            name="phone"
            label={text.number}
            helpText={text.numberHelpText}
            type="tel"
            autoComplete="tel"
          />
        )}
      </FormDialog>
    );
  }
  return (
    <FormDialog
      inUrl
      {...dialog}
      {...verification}
      {...codeField(text.codeHelpText, text.wrongCode)}
      onClose={(confirmed) => {
        onClose(confirmed);
        if (!confirmed) discardUnverifiedFactor(enrollment.id);
      }}
    />
  );
}

/** Enrolls the number and sends a code to it. Removes the factor if the message cannot be sent. */
const enroll = async (friendlyName: string, phone: string, signal: AbortSignal): Promise<Enrollment> => {
  const { id } = await enrollWithRetry(
    friendlyName,
    () => unwrap(auth.mfa.enroll({ factorType: 'phone', friendlyName, phone })),
    signal,
  );
  try {
    signal.throwIfAborted();
    const challenge = await unwrap(auth.mfa.challenge({ factorId: id, channel: 'sms' }));
    return { id, challengeId: challenge.id };
  } catch (error) {
    discardUnverifiedFactor(id);
    throw error;
  }
};
