/**
 * Messages at the edge of the screen, raised from anywhere. A plain store without React, so that
 * queries and session code can use it; `toaster.tsx` shows what it holds.
 *
 * Home-made, because the primitives at hand either inject style elements (refused by the content
 * security policy) or give every message the role of a dialog and read it out twice.
 */

export interface ToastMessage {
  /**
   * Identifies the action whose result this is: `create-account`, or `resend <email>` where several can run.
   * A later message of the same action replaces the earlier one.
   */
  action: string;
  title: string;
  description?: string | undefined;
  /** 'destructive' for failures: announced at once, stays until dismissed. */
  variant?: 'default' | 'destructive' | undefined;
  /** Stays until dismissed although nothing failed: it asks for something to be done. */
  persistent?: boolean | undefined;
}

export interface ActiveToast extends ToastMessage {
  readonly id: number;
  /** How often a message of the same action replaced this one. */
  readonly renewals: number;
  readonly variant: 'default' | 'destructive';
  /** '' for none. */
  readonly description: string;
}

/** At most so many are on screen. The others wait and are never dropped unread. */
export const visibleToasts = 3;

let raised: readonly ActiveToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

const change = (next: readonly ActiveToast[]): void => {
  raised = next;
  for (const listener of listeners) listener();
};

/** Nobody reads more of a message, and a runaway answer of the service must not fill the screen. */
const longestText = 1000;

const shortened = (text: string): string =>
  text.length > longestText ? `${text.slice(0, longestText)}…` : text;

/**
 * Shows a message, in place of an earlier one of the same action: it becomes the newest, is announced
 * again, and its time starts again. @returns the id for `dismissToast`.
 */
export const toast = (message: ToastMessage): number => {
  const { title, description = '', variant = 'default' } = message;
  const shown = { ...message, title: shortened(title), description: shortened(description), variant };
  const before = raised.find((each) => each.action === message.action);
  if (before === undefined) lastId += 1;
  const id = before?.id ?? lastId;
  const renewals = before === undefined ? 0 : before.renewals + 1;
  change([...raised.filter((each) => each !== before), { ...shown, id, renewals }]);
  return id;
};

const isError = ({ variant }: ActiveToast): boolean => variant === 'destructive';

export const dismissToast = (id: number): void => {
  change(raised.filter((each) => each.id !== id));
};

/** Removes the message of an action, once its result no longer holds. */
export const dismissAction = (action: string): void => {
  if (raised.some((each) => each.action === action)) change(raised.filter((each) => each.action !== action));
};

/** Removes all errors: call it when the user leaves the screen or step that they are about. */
export const dismissErrorToasts = (): void => {
  if (raised.some(isError)) change(raised.filter((each) => !isError(each)));
};

export const dismissAllToasts = (): void => {
  change([]);
};

/** Every message not yet dismissed, oldest first. The same array until something changes. */
export const getActiveToasts = (): readonly ActiveToast[] => raised;

export const subscribeToToasts = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
