/** The dialog that changes the end date of a membership, or reactivates a member after it. Loaded on demand. */
import type { AccountMember } from '@lanternrock/contract/account-members';
import { useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { callFunction } from '../../api/functions.ts';
import { EndDateDialog } from '../../shared/end-date/end-date-dialog.tsx';
import { endDateText } from '../../shared/end-date/end-date-text.ts';
import { formatDateTime } from '../../ui/format-time.ts';
import { membersQuery, useShowMemberChange } from './member-queries.ts';
import { memberName, membersText as text } from './members-text.ts';

interface MembershipEndDialogProps {
  open: boolean;
  accountId: string;
  member: AccountMember;
  /** True for a member whose end date has passed: saving also reactivates a suspended member. */
  reactivates: boolean;
  finalFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
}

export function MembershipEndDialog(props: MembershipEndDialogProps): React.JSX.Element {
  const { accountId, member, reactivates } = props;
  const { user_id, ends_at: endsAt } = member;
  const name = memberName(member);
  const client = useQueryClient();
  const show = useShowMemberChange(accountId);
  return (
    <EndDateDialog
      open={props.open}
      title={reactivates ? text.endDialog.reactivateTitle(name) : endDateText.title(name)}
      description={
        reactivates
          ? text.endDialog.reactivateDescription(formatDateTime(endsAt ?? ''))
          : text.endDialog.description
      }
      // The passed end date of a reactivation is no suggestion.
      endsAt={reactivates ? null : endsAt}
      sendsUnchanged={reactivates}
      action={`member ${user_id}`}
      send={(ends_at, signal) => {
        const body = {
          account_id: accountId,
          user_id,
          ends_at,
          ...(reactivates && { status: 'active' as const }),
        };
        return callFunction('set-account-member', body, { signal });
      }}
      done={(response) => show(reactivates ? 'reactivate' : 'end', member, response)}
      // Also after an error: another administrator can have changed or removed the member.
      onSettled={() => void client.invalidateQueries({ queryKey: membersQuery(accountId).queryKey })}
      {...(reactivates && { submitLabel: text.reactivate })}
      finalFocus={props.finalFocus}
      onClose={props.onClose}
    />
  );
}
