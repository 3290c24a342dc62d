/** Sends the input of a form, or runs the action of a button. */
import { useCallback, useRef, useState } from 'react';
import { errorMessage, isUnanswered } from '../api/errors.ts';
import { startRetryOffer } from '../api/idempotency-keys.ts';
import { hasFeature } from '../api/runtime-config.ts';
import { dismissAction, toast, type ToastTexts } from '../ui/toast.ts';

const submitText = {
  retry: 'Retry',
  canceled: {
    title: 'Canceled',
    description: 'The service may have received the request already. Check before you send it again.',
  },
  tooLate: {
    title: 'Retry is no longer possible',
    description: 'Your earlier attempt may have succeeded. Check the result before you try again.',
  },
} as const;

export interface SubmitOptions<Input, Result> {
  /** Identifies the toasts: a later toast of the same action replaces the earlier one. */
  action: string | ((input: Input) => string);
  /** @param signal aborts when the user cancels */
  send: (input: Input, signal: AbortSignal) => Promise<Result>;
  /** Called after a success. Returns the toast, if any. */
  done?: ((result: Result, input: Input) => ToastTexts | void) | undefined;
  /** Shows an error at a field of the form. Returns false if it belongs into a toast. */
  showInForm?: ((error: unknown, input: Input) => boolean) | undefined;
  /** Returns the toast for any other error. A text is the title of a toast with the error message. */
  failed?: string | ((error: unknown, input: Input) => ToastTexts | void) | undefined;
  /**
   * Called after a success and after an error. After a success, `pending` waits for a returned promise, but not after
   * `cancel`.
   */
  onSettled?: (() => unknown) | undefined;
  /** True if a success opens another page: `pending` stays true until it has loaded. */
  leaves?: boolean | undefined;
  /**
   * True if `send` calls the Data API or the Functions API only, whose requests carry a key (`idempotency-keys.ts`): after
   * an error without a response, the toast offers Retry. A request without a key could have a second effect.
   */
  repeatable?: boolean | undefined;
  /** What Retry does. The default sends the same input. */
  retry?: ((input: Input) => void) | undefined;
}

export interface Submission<Input, Result> {
  readonly pending: boolean;
  /** Result of the last call; undefined before, while pending and after an error. */
  readonly result: Result | undefined;
  /**
   * Never rejects. Resolves to true after a success. A call while pending is the same press again, because the
   * controls are disabled: it sends nothing, and returns the promise of the first call.
   */
  readonly submit: (input: Input) => Promise<boolean>;
  /**
   * Stops waiting for the running request and aborts it, or stops waiting for `onSettled`. Without a request, removes a
   * toast with Retry, because the input is gone. The function stays the same.
   */
  readonly cancel: () => void;
}

/** Resolves with the work, or rejects as soon as the signal aborts. */
const untilAborted = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
    work.then(resolve, reject);
  });

const failureTexts = <Input>(
  failed: SubmitOptions<Input, unknown>['failed'],
  error: unknown,
  input: Input,
): ToastTexts | void =>
  typeof failed === 'string' ? { title: failed, description: errorMessage(error) } : failed?.(error, input);

/**
 * Returns the Retry button for an error toast; undefined if the service has answered, or does not know keys.
 *
 * @param action of the toasts
 * @param sendAgain sends an equal request, which carries a key
 */
export const retryButton = (
  action: string,
  error: unknown,
  sendAgain: () => void,
): ToastTexts['button'] | undefined => {
  if (!isUnanswered(error) || !hasFeature('extensions')) return undefined;
  const isSameAction = startRetryOffer();
  const onPress = (): void => {
    if (isSameAction()) sendAgain();
    else toast({ action, ...submitText.tooLate });
  };
  return { label: submitText.retry, onPress };
};

/**
 * Sends one request at a time, and shows its result in a toast.
 *
 * @param options those of the render in which `submit` is called apply until the request has settled
 */
export function useSubmit<Input = void, Result = void>(
  options: SubmitOptions<Input, Result>,
): Submission<Input, Result> {
  const { action, send, done, showInForm, failed, onSettled, leaves = false } = options;
  const { repeatable = false, retry } = options;
  const [state, setState] = useState<{ pending: boolean; result?: Result | undefined }>({ pending: false });
  // State updates on the next render, and a second submit can arrive before it.
  const running = useRef<Promise<boolean>>(null);
  const abort = useRef<AbortController>(null);
  const retryToast = useRef<string>(null);

  const run = async (input: Input): Promise<boolean> => {
    const { signal } = (abort.current = new AbortController());
    const name = typeof action === 'string' ? action : action(input);
    const show = (texts: ToastTexts | void): void => {
      if (texts) toast({ action: name, ...texts });
    };
    let succeeded = false;
    let result: Result | undefined;
    setState({ pending: true });
    retryToast.current = null;
    try {
      const sent = await untilAborted(send(input, signal), signal);
      show(done?.(sent, input));
      succeeded = true;
      result = sent;
    } catch (error) {
      if (signal.aborted) show(submitText.canceled);
      else if (showInForm?.(error, input) !== true) {
        const texts = failureTexts(failed, error, input);
        if (texts) {
          const sendAgain = (): void => (retry === undefined ? void submit(input) : retry(input));
          const button = repeatable ? retryButton(name, error, sendAgain) : undefined;
          if (button !== undefined) retryToast.current = name;
          show({ variant: 'destructive', button, ...texts });
        }
      }
    }
    const pending = succeeded && leaves;
    try {
      const settled = onSettled?.();
      if (succeeded) await untilAborted(Promise.resolve(settled), signal);
    } catch {
      // The user does not wait for it.
    } finally {
      if (!pending) running.current = null;
      setState({ pending, result });
    }
    return succeeded;
  };
  const submit = (input: Input): Promise<boolean> => (running.current ??= run(input));
  const cancel = useCallback(() => {
    if (running.current !== null) abort.current?.abort();
    else if (retryToast.current !== null) dismissAction(retryToast.current);
  }, []);
  return {
    pending: state.pending,
    result: state.result,
    submit,
    cancel,
  };
}
