/**
 * Stores the active toasts, which `toaster.tsx` shows. A store without React, so that queries and session
 * code can use it. Not a library, because the available ones inject style elements, which the content
 * security policy blocks, or use the role `dialog` for each toast, so that screen readers announce it twice.
 */

/** Marks the toaster. A click on it must not close a dialog below. */
export const toasterAttribute = 'data-toaster';

export interface ToastMessage {
  /**
   * Identifies the action whose result this is: `create-account`, or `resend <email>` where several can run.
   * A later message of the same action replaces the earlier one.
   */
  action: string;
  title: string;
  description?: string | undefined;
  /** `destructive` for errors: announced immediately, shown until dismissed. */
  variant?: 'default' | 'destructive' | undefined;
  /** Shown until dismissed without being an error: the user has to do something, or an action is running. */
  persistent?: boolean | undefined;
  /** For example Undo or Retry. A press also dismisses the toast. */
  button?: ToastButton | undefined;
}

export type ToastTexts = Omit<ToastMessage, 'action'>;

interface ToastButton {
  readonly label: string;
  readonly onPress: () => void;
}

export interface ActiveToast extends ToastMessage {
  readonly id: number;
  /** How often a toast of the same action has replaced this one. */
  readonly replaceCount: number;
  readonly variant: 'default' | 'destructive';
  /** '' without a description. */
  readonly description: string;
  /** Text that changes often and is not announced, for example `12 MB`. */
  readonly progress?: string | undefined;
}

/** Maximum number of toasts on screen. Further ones wait. */
const maxVisible = 3;

let toasts: readonly ActiveToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

const setToasts = (next: readonly ActiveToast[]): void => {
  toasts = next;
  for (const listener of listeners) listener();
};

/** Maximum length of title and description, so that an unexpected response does not fill the screen. */
const maxTextLength = 1000;

const truncate = (text: string): string =>
  text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;

/**
 * Shows a toast. It replaces an earlier toast of the same action: it becomes the newest one, is announced
 * again, and its timer restarts.
 *
 * @returns the ID for `dismissToast`
 */
export const toast = (message: ToastMessage): number => {
  const { title, description = '', variant = 'default' } = message;
  const shown = { ...message, title: truncate(title), description: truncate(description), variant };
  const replaced = toasts.find((each) => each.action === message.action);
  if (replaced === undefined) lastId += 1;
  const id = replaced?.id ?? lastId;
  const replaceCount = replaced === undefined ? 0 : replaced.replaceCount + 1;
  setToasts([...toasts.filter((each) => each !== replaced), { ...shown, id, replaceCount }]);
  return id;
};

/** Sets the progress of an action whose toast is shown. */
export const setToastProgress = (action: string, progress: string): void => {
  setToasts(toasts.map((each) => (each.action === action ? { ...each, progress } : each)));
};

const isError = ({ variant }: ActiveToast): boolean => variant === 'destructive';

export const dismissToast = (id: number): void => {
  setToasts(toasts.filter((each) => each.id !== id));
};

/** Removes the toast of an action whose result is outdated. */
export const dismissAction = (action: string): void => {
  if (toasts.some((each) => each.action === action))
    setToasts(toasts.filter((each) => each.action !== action));
};

/** Removes all errors. Call it when the user leaves the screen or step that the errors refer to. */
export const dismissErrorToasts = (): void => {
  if (toasts.some(isError)) setToasts(toasts.filter((each) => !isError(each)));
};

export const dismissAllToasts = (): void => {
  setToasts([]);
};

/** Returns true for a toast that stays until it is dismissed. */
export const isLasting = (each: ActiveToast): boolean => isError(each) || each.persistent === true;

/**
 * Returns the toasts to show: the newest one, then those that close automatically, then the others, each
 * newest first. A success would otherwise wait behind errors, and appear long after its action.
 */
export const selectVisible = (all: readonly ActiveToast[]): ReadonlySet<ActiveToast> => {
  const newestFirst = all.toReversed();
  const newest = newestFirst.slice(0, 1);
  const closing = newestFirst.filter((each) => !isLasting(each));
  return new Set([...new Set([...newest, ...closing, ...newestFirst])].slice(0, maxVisible));
};

/** Returns all toasts that are not dismissed, oldest first. Returns the same array until the next change. */
export const getActiveToasts = (): readonly ActiveToast[] => toasts;

export const subscribeToToasts = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
