/** Sends the input of a form, or runs the action of a button. */
import { useRef, useState } from 'react';
import { errorMessage } from '../api/errors.ts';
import { toast, type ToastMessage } from '../ui/toast.ts';

export type ToastTexts = Omit<ToastMessage, 'action'>;

export interface SubmitOptions<Input, Result> {
  /** Identifies the toasts: a later toast of the same action replaces the earlier one. */
  action: string | ((input: Input) => string);
  /** `idempotencyKey` returns the same UUID for equal input until a request succeeds. */
  send: (input: Input, idempotencyKey: () => string | undefined) => Promise<Result>;
  /** Called after a success. Returns the toast, if any. */
  done?: ((result: Result, input: Input) => ToastTexts | void) | undefined;
  /** Shows an error at a field of the form. Returns false if it belongs into a toast. */
  showInForm?: ((error: unknown, input: Input) => boolean) | undefined;
  /** Returns the toast for any other error. A text is the title of a toast with the error message. */
  failed?: string | ((error: unknown, input: Input) => ToastTexts | void) | undefined;
  /** Called after a success and after an error. After a success, `pending` waits for a returned promise. */
  onSettled?: (() => unknown) | undefined;
  /** True if a success opens another page: `pending` stays true until it has loaded. */
  leaves?: boolean | undefined;
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
}

const keyFor = (keys: Map<string, string>, input: unknown): string | undefined => {
  // Without HTTPS, browsers have no `randomUUID`.
  if (!isSecureContext) return undefined;
  const text = JSON.stringify(input);
  const key = keys.get(text) ?? crypto.randomUUID();
  keys.set(text, key);
  return key;
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
  const [state, setState] = useState<{ pending: boolean; result?: Result | undefined }>({ pending: false });
  const [keys] = useState(() => new Map<string, string>());
  // State updates on the next render, and a second submit can arrive before it.
  const running = useRef<Promise<boolean>>(null);

  const run = async (input: Input): Promise<boolean> => {
    const show = (texts: ToastTexts | void): void => {
      if (texts) toast({ action: typeof action === 'string' ? action : action(input), ...texts });
    };
    let succeeded = false;
    let result: Result | undefined;
    setState({ pending: true });
    try {
      const sent = await send(input, () => keyFor(keys, input));
      keys.clear();
      show(done?.(sent, input));
      succeeded = true;
      result = sent;
    } catch (error) {
      if (showInForm?.(error, input) !== true) {
        const texts =
          typeof failed === 'string'
            ? { title: failed, description: errorMessage(error) }
            : failed?.(error, input);
        if (texts) show({ variant: 'destructive', ...texts });
      }
    }
    const pending = succeeded && leaves;
    try {
      const settled = onSettled?.();
      if (succeeded) await settled;
    } finally {
      if (!pending) running.current = null;
      setState({ pending, result });
    }
    return succeeded;
  };
  return {
    pending: state.pending,
    result: state.result,
    submit: (input) => (running.current ??= run(input)),
  };
}
