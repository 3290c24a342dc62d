/** Plans the invitations of a list, row by row, without changing data. */
import {
  checkInvitees,
  type CheckedInvitee,
  type InviteeRow,
  type InviteeStatus,
} from '@lanternrock/contract/invitation-list';
import type { Transaction } from '@lanternrock/postgres';
import { readInviteeStatuses } from './invitee-status.ts';

type RowPlan =
  | { readonly kind: 'invitee'; readonly status: InviteeStatus }
  | NonNullable<CheckedInvitee['problem']>;

export interface PlannedRow extends Omit<CheckedInvitee, 'problem'> {
  readonly plan: RowPlan;
}

/** Returns the plan of each row, in the order of the input. */
export async function planInvitations(
  tx: Transaction,
  rows: readonly InviteeRow[],
  options: { readonly now: Date; readonly hasMailServer: boolean },
): Promise<readonly PlannedRow[]> {
  const checked = checkInvitees(rows, options.now);
  const statuses = await readInviteeStatuses(
    tx,
    checked.flatMap(({ problem, email }) => (problem ? [] : [email])),
    options,
  );
  return checked.map(({ problem, ...row }) => ({
    ...row,
    plan: problem ?? { kind: 'invitee', status: statuses.get(row.email) ?? 'new' },
  }));
}
