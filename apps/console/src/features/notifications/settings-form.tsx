/** The form for the sender of outgoing email. */
import { zodResolver } from '@hookform/resolvers/zod';
import {
  type NotificationSettingsInput,
  notificationSettingsSchema,
} from '@lanternrock/contract/notification-settings';
import type { NotificationSettingsRow } from '@lanternrock/contract/rows';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { runtimeConfig } from '../../api/backend.ts';
import { errorMessage, unreadableMessage } from '../../api/errors.ts';
import { LeaveGuard } from '../../forms/leave-guard.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { CardContent } from '../../ui/card.tsx';
import { TimeWithTooltip } from '../../ui/time-with-tooltip.tsx';
import { EmailFormField } from '../../forms/email-form-field.tsx';
import { FormField } from '../../forms/form-field.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import {
  SettingsConflictError,
  saveSettings,
  settingsAuthorQuery,
  settingsQuery,
} from './notifications-queries.ts';
import { notificationsText } from './notifications-text.ts';
import { QuotedText } from '../../ui/quoted-text.tsx';

const text = notificationsText.form;

/** Returns the form values. Without a row, the sender name defaults to the product name. */
const toFormValues = (row: NotificationSettingsRow | null): NotificationSettingsInput => ({
  sender_email: row?.sender_email ?? '',
  sender_name: row?.sender_name ?? runtimeConfig.productName,
});

export function SettingsForm({ stored }: { stored: NotificationSettingsRow | null }): React.JSX.Element {
  const form = useForm({
    resolver: zodResolver(notificationSettingsSchema),
    defaultValues: toFormValues(stored),
  });
  const { isDirty } = form.formState;
  // The row that the form was loaded from. A save replaces only this version.
  const basis = useRef(stored);
  const [conflictingRow, setConflictingRow] = useState<NotificationSettingsRow>();
  const resetTo = (row: NotificationSettingsRow): void => {
    basis.current = row;
    setConflictingRow(undefined);
    form.reset(toFormValues(row));
  };
  const client = useQueryClient();
  const { toast, conflict } = notificationsText;
  const { pending, submit } = useSubmit<NotificationSettingsInput, NotificationSettingsRow>({
    action: 'save-settings',
    send: (values) => saveSettings(basis.current, values, conflict.message),
    repeatable: true,
    // The input can have changed since.
    retry: () => void form.handleSubmit(submit)(),
    done: (row) => {
      client.setQueryData(settingsQuery.queryKey, row);
      resetTo(row);
      return { title: toast.saved, description: toast.savedDescription };
    },
    failed: (error) => {
      if (error instanceof SettingsConflictError) {
        // The user sees the current settings, so the next save may overwrite them.
        basis.current = error.stored;
        setConflictingRow(error.stored);
      }
      return { title: toast.error, description: serviceMessage(error) || toast.saveFailed };
    },
  });
  useEffect(() => {
    // A background refetch updates a form without changes, and never overwrites input.
    if (isDirty || stored === basis.current) return;
    basis.current = stored;
    form.reset(toFormValues(stored));
  }, [form, isDirty, stored]);
  return (
    <CardContent>
      <LeaveGuard active={isDirty} />
      <form noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)} className="grid gap-4">
        {conflictingRow !== undefined && (
          <ConflictAlert stored={conflictingRow} onUseCurrent={() => resetTo(conflictingRow)} />
        )}
        <EmailFormField form={form} name="sender_email" label={text.senderEmail} />
        <FormField form={form} name="sender_name" label={text.senderName} />
        <div>
          <Button type="submit" pending={pending} pendingLabel={text.submitting}>
            {text.submit}
          </Button>
        </div>
      </form>
    </CardContent>
  );
}

/** Returns the message of the service; '' for a response without one. */
const serviceMessage = (error: unknown): string => {
  const message = errorMessage(error);
  return message === unreadableMessage ? '' : message;
};

interface ConflictAlertProps {
  stored: NotificationSettingsRow;
  onUseCurrent: () => void;
}

/** Shows the current settings after a conflict. */
function ConflictAlert({ stored, onUseCurrent }: ConflictAlertProps): React.JSX.Element {
  const { conflict } = notificationsText;
  const { data: author } = useQuery(settingsAuthorQuery(stored));
  return (
    <Alert title={conflict.title}>
      <p>
        {typeof author === 'string' && <QuotedText>{`${conflict.author(author)} `}</QuotedText>}
        {typeof stored.updated_at === 'string' && (
          <TimeWithTooltip value={stored.updated_at} relative="past" />
        )}
      </p>
      <p>
        <QuotedText>{conflict.stored(stored.sender_name ?? '', stored.sender_email ?? '')}</QuotedText>
      </p>
      <p className="mt-1 text-muted">{conflict.help}</p>
      <Button variant="outline" size="sm" className="mt-3" onClick={onUseCurrent}>
        {conflict.discard}
      </Button>
    </Alert>
  );
}
