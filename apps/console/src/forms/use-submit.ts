/** A form whose fields are read when it is submitted. */
import { type SubmitEvent, useRef, useState } from 'react';

interface Submission {
  readonly pending: boolean;
  readonly submit: (event: SubmitEvent<HTMLFormElement>) => void;
}

/**
 * Runs `attempt` for a submit, unless the one before is still on its way. An attempt that resolves to
 * true leads elsewhere: the button stays busy until that is there.
 */
export function useSubmit(attempt: () => Promise<boolean>, onThrown: (error: unknown) => void): Submission {
  const [pending, setPending] = useState(false);
  // State is too late for a second submit within the same moment.
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
      // React hands events of a dialog's form on to the page's forms around it.
      event.stopPropagation();
      void run();
    },
  };
}
