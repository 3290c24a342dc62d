/**
 * Messages that cross from one document to the next: the page that raised them is gone before
 * anybody could read them, so session storage carries them over.
 */
import { type ToastMessage, toast } from './toast.ts';

const key = 'toasts_for_next_document';

const isMessage = (value: unknown): value is ToastMessage =>
  typeof value === 'object' &&
  value !== null &&
  'title' in value &&
  typeof value.title === 'string' &&
  'action' in value &&
  typeof value.action === 'string';

const waiting = (): ToastMessage[] => {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isMessage) : [];
  } catch {
    return [];
  }
};

/** Keeps a message for the next document of this tab. */
export const queueToast = (message: ToastMessage): void => {
  try {
    sessionStorage.setItem(key, JSON.stringify([...waiting(), message]));
  } catch {
    // Without storage the message is lost; the navigation it goes with still tells the outcome.
  }
};

/** Shows what the document before left. Called once, after the first render. */
export const showQueuedToasts = (): void => {
  const messages = waiting();
  if (messages.length === 0) return;
  sessionStorage.removeItem(key);
  for (const message of messages) {
    toast({
      action: message.action,
      title: message.title,
      ...(typeof message.description === 'string' ? { description: message.description } : {}),
      variant: message.variant === 'destructive' ? 'destructive' : 'default',
      persistent: message.persistent === true,
    });
  }
};
