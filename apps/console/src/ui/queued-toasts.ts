/**
 * Passes toasts to the next document of the tab in session storage, because a navigation removes the current
 * ones.
 */
import { type ToastMessage, toast } from './toast.ts';

const key = 'toasts_for_next_document';

/** A toast as data. In place of a button, it can lead to a page of the console. */
export interface QueuedToast extends Omit<ToastMessage, 'button'> {
  readonly page?: { readonly label: string; readonly path: string };
}

const isMessage = (value: unknown): value is QueuedToast =>
  typeof value === 'object' &&
  value !== null &&
  'title' in value &&
  typeof value.title === 'string' &&
  'action' in value &&
  typeof value.action === 'string';

const readQueue = (): QueuedToast[] => {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isMessage) : [];
  } catch {
    return [];
  }
};

/** Queues a toast for the next document of this tab. */
export const queueToast = (message: QueuedToast): void => {
  try {
    sessionStorage.setItem(key, JSON.stringify([...readQueue(), message]));
  } catch {
    // Session storage is blocked, so the toast is lost. The navigation still shows the outcome.
  }
};

/** Shows the toasts that the previous document queued. Call once, after the first render. */
export const showQueuedToasts = (): void => {
  const messages = readQueue();
  if (messages.length === 0) return;
  sessionStorage.removeItem(key);
  for (const message of messages) showMessage(message);
};

/** Shows a toast that is data, such as one from another document. */
export const showMessage = (message: QueuedToast): void => {
  const { page } = message;
  toast({
    action: message.action,
    title: message.title,
    description: typeof message.description === 'string' ? message.description : undefined,
    variant: message.variant === 'destructive' ? 'destructive' : 'default',
    persistent: message.persistent === true,
    button: page && { label: page.label, onPress: () => location.assign(page.path) },
  });
};
