/** Queries and requests of the notification settings, a table with one row. */
import type {
  NotificationSettingsInput,
  SenderDomainResponse,
  TestEmailResponse,
} from '@lanternrock/contract/notification-settings';
import type { NotificationSettingsRow } from '@lanternrock/contract/rows';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, shapeError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { data } from '../../api/data.ts';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';

/** Reads the first row; null if no settings are saved. */
const readSettings = async (signal?: AbortSignal): Promise<NotificationSettingsRow | null> => {
  const call = data.from('notification_settings').select('*').limit(1);
  if (signal !== undefined) call.abortSignal(signal);
  const { data: row } = await call.maybeSingle().throwOnError();
  if (row === null) return null;
  if (typeof row.id === 'string') return row;
  throw shapeError();
};

export const settingsQuery = queryOptions({
  queryKey: ['notification-settings'],
  queryFn: ({ signal }) => readSettings(signal),
});

/** Another administrator saved the settings after the form was loaded. */
export class SettingsConflictError extends Error {
  override readonly name = 'SettingsConflictError';
  readonly stored: NotificationSettingsRow;

  constructor(message: string, stored: NotificationSettingsRow) {
    super(message);
    this.stored = stored;
  }
}

type Sender = Pick<NotificationSettingsRow, 'sender_email' | 'sender_name'>;

const hasValues = (row: Sender, { sender_email, sender_name }: Sender): boolean =>
  row.sender_email === sender_email && row.sender_name === sender_name;

/**
 * Inserts the settings, or updates the row that the form was loaded from, if it has not changed since.
 *
 * @param basis the row that the form was loaded from; null without one
 * @param conflictMessage the message of a SettingsConflictError
 * @returns the stored row
 * @throws SettingsConflictError if another administrator has saved the settings
 * @throws ApiError; its message is '' if the update changed no row
 */
export const saveSettings = async (
  basis: NotificationSettingsRow | null,
  input: NotificationSettingsInput,
  conflictMessage: string,
): Promise<NotificationSettingsRow> => {
  const values = { sender_email: input.sender_email, sender_name: input.sender_name };
  if (basis === null) return await insertSettings(values, conflictMessage);
  const call = data.from('notification_settings').update(values, { count: 'exact' }).eq('id', basis.id);
  if (typeof basis.updated_at === 'string') call.eq('updated_at', basis.updated_at);
  const { count, status } = await call.throwOnError();
  // If a proxy has removed the header with the count, a 204 counts as one row.
  if (count === null && status !== 204) throw shapeError(status);
  const stored = await readSettings().catch(() => null);
  if (count !== 0) return stored?.id === basis.id ? stored : { ...basis, ...values };
  if (stored?.id === basis.id && stored.updated_at !== basis.updated_at) {
    // The response to an earlier attempt was lost.
    if (hasValues(stored, values)) return stored;
    // Another administrator saved the same settings, or a field that this form does not show.
    if (hasValues(stored, basis)) return saveSettings(stored, input, conflictMessage);
    throw new SettingsConflictError(conflictMessage, stored);
  }
  // The update succeeded but changed no row, so it is reported as an error.
  throw new ApiError({ kind: 'data', status: 200, message: '' });
};

/** Inserts the first row. A unique violation means that another administrator has inserted it. */
const insertSettings = async (
  values: NotificationSettingsInput,
  conflictMessage: string,
): Promise<NotificationSettingsRow> => {
  try {
    const call = data.from('notification_settings').insert(values).select().single();
    return (await call.throwOnError()).data;
  } catch (error) {
    const stored = error instanceof ApiError && error.code === '23505' ? await readSettings() : null;
    if (stored === null) throw error;
    if (hasValues(stored, values)) return stored;
    throw new SettingsConflictError(conflictMessage, stored);
  }
};

/** Reads the name of the user who saved the settings last; null if it is unknown. */
export const settingsAuthorQuery = (row: NotificationSettingsRow) =>
  queryOptions({
    queryKey: ['notification-settings-author', row.updated_at],
    retry: false,
    ...enabledIf(hasFeature('extensions')),
    queryFn: async () => (await callFunction('notification-settings-author', {})).name,
  });

/**
 * Checks the DNS records of the sender domain.
 *
 * @param selector DKIM selector; '' for the selector of the service
 */
export const checkDomain = async (selector: string): Promise<SenderDomainResponse> => {
  const body = selector === '' ? {} : { selector };
  const response = await callFunction('check-sender-domain', body);
  if (Array.isArray(response.records)) return response;
  throw shapeError();
};

/** Sends a test email to the signed-in user. Also resolves if the mail server rejected it. */
export const sendTestEmail = (): Promise<TestEmailResponse> => callFunction('send-test-mail', {});
