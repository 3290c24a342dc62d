/** Reads and saves the one record of notification settings. */
import type {
  NotificationSettingsInput,
  SenderDomainResponse,
  SettingsAuthorResponse,
  TestEmailResponse,
} from '@lanternrock/contract/notification-settings';
import type { NotificationSettingsRow } from '@lanternrock/contract/rows';
import { queryOptions } from '@tanstack/react-query';
import { BackendError, unreadableMessage } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { backend } from '../../api/rest-client.ts';
import { unwrap, unwrapAffected, unwrapMaybe } from '../../api/data.ts';
import { hasFeature } from '../../api/runtime-config.ts';

/** Reads the first row (specification section 7); null when nothing is saved yet. */
const readSettings = async (signal?: AbortSignal): Promise<NotificationSettingsRow | null> => {
  const call = backend.from('notification_settings').select('*').limit(1);
  if (signal !== undefined) call.abortSignal(signal);
  const row = await unwrapMaybe(call.maybeSingle());
  if (row === null) return null;
  if (typeof row.id === 'string' && typeof row.sender_email === 'string') return row;
  throw new BackendError({ kind: 'shape', message: unreadableMessage });
};

export const settingsQuery = queryOptions({
  queryKey: ['notification-settings'],
  queryFn: ({ signal }) => readSettings(signal),
});

/** Somebody else saved since the form was filled. */
export class SettingsConflictError extends Error {
  override readonly name = 'SettingsConflictError';
  readonly stored: NotificationSettingsRow;

  constructor(message: string, stored: NotificationSettingsRow) {
    super(message);
    this.stored = stored;
  }
}

/**
 * Inserts when there is no row yet, else updates the row that the form was filled from, and only as
 * long as nobody has saved since.
 * @returns the stored row.
 * @throws SettingsConflictError; BackendError with message '' when the row took no change.
 */
export const saveSettings = async (
  basis: NotificationSettingsRow | null,
  input: NotificationSettingsInput,
  changedElsewhere: string,
): Promise<NotificationSettingsRow> => {
  const values = { sender_email: input.sender_email, sender_name: input.sender_name };
  if (basis === null) return await insertSettings(values, changedElsewhere);
  const call = backend.from('notification_settings').update(values, { count: 'exact' }).eq('id', basis.id);
  if (typeof basis.updated_at === 'string') call.eq('updated_at', basis.updated_at);
  const affected = await affectedRows(call);
  const stored = await readSettings().catch(() => null);
  if (affected > 0) return stored?.id === basis.id ? stored : { ...basis, ...values };
  if (stored?.id === basis.id && stored.updated_at !== basis.updated_at) {
    throw new SettingsConflictError(changedElsewhere, stored);
  }
  // The update was allowed and changed nothing: to call that saved would be untrue.
  throw new BackendError({ kind: 'data', status: 200, message: '' });
};

/** A first save that comes second is refused as a duplicate: somebody else's row is there now. */
const insertSettings = async (
  values: NotificationSettingsInput,
  changedElsewhere: string,
): Promise<NotificationSettingsRow> => {
  try {
    return await unwrap(backend.from('notification_settings').insert(values).select().single());
  } catch (error) {
    const stored = error instanceof BackendError && error.code === '23505' ? await readSettings() : null;
    if (stored === null) throw error;
    throw new SettingsConflictError(changedElsewhere, stored);
  }
};

/** A proxy may strip the header that carries the count; then the success of the request has to do. */
const affectedRows = async (call: Parameters<typeof unwrapAffected>[0]): Promise<number> => {
  try {
    return await unwrapAffected(call);
  } catch (error) {
    if (error instanceof BackendError && error.kind === 'shape' && error.status === 204) return 1;
    throw error;
  }
};

/** Who saved last; null when that cannot be told. */
export const settingsAuthorQuery = (row: NotificationSettingsRow) =>
  queryOptions({
    queryKey: ['notification-settings-author', row.updated_at],
    retry: false,
    ...(hasFeature('settings-author') ? {} : { enabled: false }),
    queryFn: async () =>
      (await callFunction<SettingsAuthorResponse>('notification-settings-author', {})).name,
  });

/** @param selector '' for the service's own. */
export const checkDomain = async (selector: string): Promise<SenderDomainResponse> => {
  const body = selector === '' ? {} : { selector };
  const answer = await callFunction<SenderDomainResponse>('check-sender-domain', body);
  if (Array.isArray(answer.records)) return answer;
  throw new BackendError({ kind: 'shape', message: unreadableMessage });
};

/** Sends a mail to the signed-in person. Resolves also when the mail server refused it. */
export const sendTestEmail = (): Promise<TestEmailResponse> =>
  callFunction<TestEmailResponse>('send-test-mail', {});
