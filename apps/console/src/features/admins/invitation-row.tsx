/** One invitation in the list. */
import type { InvitationRow as Invitation } from '@lanternrock/contract/rows';
import { useId } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { cx } from '../../ui/cx.ts';
import { isModifiedClick, focusAdjacentRow, isRowActivation } from '../../ui/row-activation.ts';
import { Td } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { adminsText as text } from './admins-text.ts';
import { statusVariant } from './invitation-status.ts';
import { ResendButton } from './resend-button.tsx';

interface InvitationRowProps {
  invitation: Invitation;
  /** The status of a resend of the email, if any. */
  note: string | undefined;
  selected: boolean;
  onSelectedChange: (selected: boolean) => void;
  /** True if the panel of the invitation is open. */
  open: boolean;
  onOpen: () => void;
}

/** A click on the row opens the panel, except on its checkbox and button. */
export function InvitationTableRow(props: InvitationRowProps) {
  const { invitation, note, selected, onSelectedChange, open, onOpen } = props;
  const id = useId();
  return (
    <tr
      data-invitation={invitation.id}
      aria-current={open}
      onClick={(event) => {
        if (isRowActivation(event)) onOpen();
      }}
      className={cx('group cursor-pointer hover:bg-subtle', open && 'bg-subtle')}
    >
      <Td className="pr-0 print:hidden">
        <Checkbox
          aria-label={text.select(invitation.full_name)}
          checked={selected}
          onChange={(event) => onSelectedChange(event.target.checked)}
        />
      </Td>
      <Td className="@max-[58rem]:py-2 @max-[58rem]:whitespace-normal">
        <a
          id={id}
          href={`/admin/platform-admins?invitation=${encodeURIComponent(invitation.id)}`}
          title={invitation.full_name}
          onClick={(event) => {
            if (isModifiedClick(event)) return;
            event.preventDefault();
            onOpen();
          }}
          onKeyDown={focusAdjacentRow}
          dir="auto"
          translate="no"
          className="block truncate rounded-sm leading-6 font-medium underline-offset-2 -outline-offset-1 group-hover:underline"
        >
          {invitation.full_name}
        </a>
        <div className="grid justify-items-start gap-1.5 text-muted @min-[58rem]:hidden">
          <bdi translate="no" className="text-xs wrap-anywhere">
            {invitation.email}
          </bdi>
          <Badge variant={statusVariant(invitation.status)} className="capitalize @min-[38rem]:hidden">
            {invitation.status}
          </Badge>
        </div>
      </Td>
      <Td dir="auto" translate="no" title={invitation.email}>
        {invitation.email}
      </Td>
      <Td>
        <Time value={invitation.invited_at} />
      </Td>
      <Td>
        <Badge variant={statusVariant(invitation.status)} className="capitalize">
          {invitation.status}
        </Badge>
        {note !== undefined && (
          <p className="mt-1 truncate text-xs text-muted" title={note}>
            {note}
          </p>
        )}
      </Td>
      <Td>
        <Time value={invitation.expires_at} />
      </Td>
      <Td className="text-right print:hidden @max-[38rem]:pl-0">
        <ResendButton invitation={invitation} describedBy={id} />
      </Td>
    </tr>
  );
}
