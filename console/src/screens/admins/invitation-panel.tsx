/** The side panel of one invitation. */
import type { InvitationRow } from '@lanternrock/contract/rows';
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Detail, DetailList } from '../../ui/detail-list.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DetailedTime } from '../../ui/detailed-time.tsx';
import { adminsText } from './admins-text.ts';
import { statusVariant } from './invitation-status.ts';
import { ResendButton } from './resend-button.tsx';

const text = adminsText.panel;

interface InvitationPanelProps {
  open: boolean;
  /** Undefined while closed. */
  id: string | undefined;
  /** Undefined while the list is loading. */
  rows: readonly InvitationRow[] | undefined;
  onClose: () => void;
}

export function InvitationPanel({ open, id, rows, onClose }: InvitationPanelProps): React.JSX.Element {
  const current = rows?.find((row) => row.id === id);
  // The panel keeps its words while it slides out.
  const [last, setLast] = useState<InvitationRow>();
  if (current !== undefined && current !== last) setLast(current);
  const shown = id === undefined ? last : current;
  return (
    <Sheet
      open={open}
      modal={false}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={shown === undefined ? text.unnamed : <bdi>{shown.full_name}</bdi>}
      finalFocus={() => rowLink(id ?? shown?.id) ?? true}
    >
      <div className="grid content-start gap-5 overflow-y-auto px-5 pb-6">
        {shown !== undefined && <Details invitation={shown} />}
        {shown === undefined && rows !== undefined && <p className="text-sm text-muted">{text.notFound}</p>}
        {shown === undefined && rows === undefined && <Skeleton className="h-24 w-full" />}
      </div>
    </Sheet>
  );
}

const rowLink = (id: string | undefined): HTMLElement | null =>
  id === undefined ? null : document.querySelector<HTMLElement>(`[data-invitation="${CSS.escape(id)}"] a`);

function Details({ invitation }: { invitation: InvitationRow }): React.JSX.Element {
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        <Badge variant={statusVariant(invitation.status)} className="capitalize">
          {invitation.status}
        </Badge>
        <ResendButton invitation={invitation} />
      </div>
      <DetailList>
        <Detail name={text.email}>
          <bdi>{invitation.email}</bdi>
        </Detail>
        <Detail name={text.invited}>
          <DetailedTime value={invitation.invited_at} relative />
        </Detail>
        <Detail name={text.expires}>
          <DetailedTime value={invitation.expires_at} relative />
        </Detail>
        <Detail name={text.lastSent}>
          {invitation.last_sent_at ? <DetailedTime value={invitation.last_sent_at} relative /> : text.never}
        </Detail>
        <Detail name={text.sendCount}>{invitation.send_count ?? 0}</Detail>
      </DetailList>
    </>
  );
}
