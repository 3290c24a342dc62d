/** Invitations of a list as one entry of the activity. */
import type { Database } from '@lanternrock/postgres';
import type { Authorize } from '../administrators/email-action.ts';
import { recordInvitedList } from '../audit-log.ts';
import { startRun } from '../audit-run.ts';

interface InviteeListRun {
  /** For the transaction of each invitation. */
  readonly authorize: Authorize;
  /** Adds the entry by which the activity names the list, with the number of invitations; none for 0. */
  readonly record: (invited: number) => Promise<void>;
}

/** @param listId chosen by the client; undefined: each invitation is an action of its own */
export function createInviteeListRun(
  database: Database,
  authorize: Authorize,
  listId: string | undefined,
): InviteeListRun {
  if (listId === undefined) return { authorize, record: async () => {} };
  const authorizeRun: Authorize = async (tx) => {
    await authorize(tx);
    await startRun(tx, { kind: 'invite-list', id: listId });
  };
  return {
    authorize: authorizeRun,
    record: async (invited) => {
      if (invited === 0) return;
      await database.transaction(async (tx) => {
        await authorizeRun(tx);
        await recordInvitedList(tx, { invited });
      });
    },
  };
}
