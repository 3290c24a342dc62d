/** State of the check and of the sending of a list. */
import type { FunctionInput } from '@lanternrock/contract/functions';
import type {
  InvitationPlanResponse,
  InviteeRow,
  InviteListResponse,
} from '@lanternrock/contract/invitation-list';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { inviteListText } from './invite-list-text.ts';
import { chooseAgain, isDue, planList, sendList, type ListPlan } from './invite-run.ts';
import type { ListRow } from './list-row.ts';

interface RunState {
  readonly running: 'checking' | 'sending' | null;
  /** Null before the check. */
  readonly rows: readonly ListRow[] | null;
  readonly quota: ListPlan['quota'];
  /** Between 0 and 1. */
  readonly progress: number;
  /** True after `cancel` until the running call ends. */
  readonly canceling: boolean;
  /** Why the run is not complete. */
  readonly stopped: string | null;
  /** True after the first sending. */
  readonly isSent: boolean;
}

export interface ListRun extends RunState {
  readonly reset: () => void;
  readonly check: (invitees: readonly InviteeRow[]) => Promise<void>;
  /** Chooses whether pending invitations are sent again. */
  readonly setAgain: (again: boolean) => void;
  readonly send: () => Promise<void>;
  /** Stops a check, or sending after the running call. */
  readonly cancel: () => void;
}

const noRun: RunState = {
  running: null,
  canceling: false,
  rows: null,
  quota: null,
  progress: 0,
  stopped: null,
  isSent: false,
};

const planCall = (emails: readonly string[], signal: AbortSignal): Promise<InvitationPlanResponse> =>
  callFunction('plan-invitations', { emails }, { signal });

const sendCall = (
  invitations: FunctionInput<'invite-list'>['invitations'],
  queueOnly: boolean,
): Promise<InviteListResponse> =>
  callFunction('invite-list', { invitations, ...(queueOnly ? { queue: true } : {}) });

const countDue = (rows: readonly ListRow[]): number => rows.filter(isDue).length;

/** @param onInvited called whenever sending stops or is complete */
export const useListRun = (onInvited: () => void): ListRun => {
  const [run, setRun] = useState(noRun);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const check = async (invitees: readonly InviteeRow[]): Promise<void> => {
    const { signal } = (abort.current = new AbortController());
    setRun({ ...noRun, running: 'checking' });
    const onProgress = (done: number, total: number): void =>
      setRun({ ...noRun, running: 'checking', progress: done / total });
    try {
      const plan = await planList(invitees, new Date(), { call: planCall, signal, onProgress });
      setRun({ ...noRun, ...plan });
    } catch (error) {
      setRun({ ...noRun, stopped: signal.aborted ? inviteListText.run.canceled : errorMessage(error) });
    }
  };

  const send = async (): Promise<void> => {
    if (run.rows === null) return;
    const { signal } = (abort.current = new AbortController());
    const total = Math.max(1, countDue(run.rows));
    let { rows } = run;
    const show = (running: RunState['running'], stopped: string | null): void =>
      setRun({ ...run, rows, running, stopped, isSent: true, progress: 1 - countDue(rows) / total });
    const onProgress = (changed: readonly ListRow[]): void => {
      rows = changed;
      show('sending', null);
    };
    show('sending', null);
    let stopped: string | null;
    try {
      stopped = await sendList(rows, { call: sendCall, signal, onProgress });
      if (signal.aborted && countDue(rows) > 0) stopped ??= inviteListText.run.canceled;
    } catch (error) {
      stopped = errorMessage(error);
    }
    show(null, stopped);
    onInvited();
  };

  return {
    ...run,
    reset: () => setRun(noRun),
    check,
    setAgain: (again) => setRun({ ...run, rows: run.rows && chooseAgain(run.rows, again) }),
    send,
    cancel: () => {
      abort.current?.abort();
      if (run.running === 'sending') setRun((state) => ({ ...state, canceling: true }));
    },
  };
};
