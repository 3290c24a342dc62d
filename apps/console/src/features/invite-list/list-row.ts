/** Columns and status of a row of the list. */
import type { InviteeRow, InviteeStatus, InviteListResult } from '@lanternrock/contract/invitation-list';

export const listColumns = ['email', 'fullName', 'note', 'expires'] as const;
export type ListColumn = (typeof listColumns)[number];

/** `again`: pending, and chosen to be sent again. The last two are results, the others a plan. */
export type RowStatus = InviteeStatus | 'again' | 'repeated' | 'invalid' | InviteListResult['outcome'];

export interface ListRow {
  readonly input: InviteeRow;
  /** Normalized if the row is valid. */
  readonly email: string;
  readonly status: RowStatus;
  readonly reason: string;
}
