/** Reads the history of an invitation and its emails, without secrets. */
import type { DeliveryStatus, EmailInviter, InvitationHistory } from '@lanternrock/contract/invitations';
import { passkeysGiveAal2 } from '@lanternrock/auth/settings';
import { type Transaction, sql } from '@lanternrock/postgres';
import type { Config } from '../config/settings.ts';
import { readInvitationEvents } from './invitation-events.ts';
import { getResendCooldownSeconds } from './invitation-record.ts';
import { readTerms } from './invitation-terms.ts';
import { isLinkAllowed } from './link-allowed.ts';

const maxEmails = 50;

interface EmailRow {
  id: string;
  status: DeliveryStatus;
  created_at: Date;
  finished_at: Date | null;
  answer: string | null;
  due_at: Date;
  is_sending: boolean;
  inviter_kind: EmailInviter['kind'] | null;
  inviter: string | null;
}

interface StateRow {
  status: string;
  send_count: number;
  last_sent_at: Date | null;
  accepted_at: Date | null;
  opened_at: Date | null;
  opened_by_program_at: Date | null;
  has_sign_in_method: boolean;
  second_factor: boolean;
  invited_by: string | null;
}

/** Returns null if there is no invitation with this ID. */
export async function readInvitationHistory(
  tx: Transaction,
  config: Config,
  { id, now }: { id: string; now: Date },
): Promise<InvitationHistory | null> {
  const [state] = await tx.query<StateRow>(
    sql`select i.status, i.send_count, i.last_sent_at, i.accepted_at,
          coalesce(auth.has_sign_in_method(u.id), false) as has_sign_in_method,
          coalesce(u.has_verified_factor, false) or ${passkeysGiveAal2(config)}::boolean
            and auth.has_verifying_passkey(u.id) as second_factor,
          (select private.display_name(p.full_name, b.email) from auth.users b left join public.profiles p on p.id = b.id
           where b.id = i.invited_by) as invited_by,
          (select o.opened_at from private.invitation_openings o
           where o.invitation_id = i.id and not o.by_program and o.opened_at >= i.invited_at) as opened_at,
          (select o.opened_at from private.invitation_openings o
           where o.invitation_id = i.id and o.by_program and o.opened_at >= i.invited_at) as opened_by_program_at
        from private.invitations i left join auth.users u on u.id = i.user_id
        where i.id = ${id}`,
  );
  if (!state) return null;
  const emails = await tx.query<EmailRow>(
    sql`select id, status, created_at, finished_at, answer, due_at, coalesce(lease_until > ${now}, false) as is_sending,
          inviter_kind, inviter
        from private.deliveries
        where invitation_id = ${id} and kind = 'invitation'
        order by created_at desc, id desc limit ${maxEmails}`,
  );
  return {
    mails: emails.map(
      ({ id: emailId, status, answer, created_at: created, finished_at: finished, ...email }) => ({
        id: emailId,
        status,
        answer,
        created_at: created.toISOString(),
        finished_at: finished?.toISOString() ?? null,
        next_attempt_at: status === 'waiting' && !email.is_sending ? email.due_at.toISOString() : null,
        inviter: email.inviter_kind === null ? null : { kind: email.inviter_kind, name: email.inviter },
      }),
    ),
    events: await readInvitationEvents(tx, id),
    opened_at: state.opened_at?.toISOString() ?? null,
    opened_by_program_at: state.opened_by_program_at?.toISOString() ?? null,
    accepted_at: state.accepted_at?.toISOString() ?? null,
    second_factor: state.second_factor,
    resend_in: getResendCooldownSeconds(state, config.RESEND_COOLDOWN, now),
    link_allowed: isLinkAllowed({
      status: state.status,
      hasSignInMethod: state.has_sign_in_method,
      newest: emails[0],
    }),
    invited_by: state.invited_by,
    terms: await readTerms(tx, id, { defaultSeconds: config.INVITATION_TTL, now }),
  };
}
