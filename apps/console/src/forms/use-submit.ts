/** Submits a form whose fields are read on submit. */
import { type SubmitEvent, useRef, useState } from 'react';

interface Submission {
  readonly pending: boolean;
  readonly submit: (event: SubmitEvent<HTMLFormElement>) => void;
}

/**
 * Runs `attempt` on submit, unless the previous attempt is still running.
 *
 * @param attempt resolves to true if it navigates: the form stays pending until the next page has loaded
 */
export function useSubmit(attempt: () => Promise<boolean>, onThrown: (error: unknown) => void): Submission {
  const [pending, setPending] = useState(false);
  // State updates on the next render, and a second submit can arrive before it.
  const running = useRef(false);
  const run = async (): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setPending(true);
    let leaving = false;
    try {
      leaving = await attempt();
    } catch (error) {
      onThrown(error);
    }
    running.current = leaving;
    setPending(leaving);
  };
  return {
    pending,
    submit: (event) => {
      event.preventDefault();
      // React bubbles events of a dialog through the component tree, to a form that contains it.
      event.stopPropagation();
      void run();
    },
  };
}
