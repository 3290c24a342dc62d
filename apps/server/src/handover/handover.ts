/** Reads what changed in a period, for an administrator who takes over. */
import {
  expiresSoonHours,
  maxHandoverItems,
  type HandoverInvitation,
  type HandoverResponse,
  type HandoverSection,
  type HandoverSheetResponse,
  type SheetAdministrator,
} from '@lanternrock/contract/handover';
import { type Transaction, sql } from '@lanternrock/postgres';
import { readActivity } from '../activity/activity.ts';
import { replacedAnswerPatterns } from '../mail/deliveries.ts';

interface Period {
  readonly since: Date;
  readonly until: Date;
}

const limit = maxHandoverItems + 1;

const toSection = <Item>(items: readonly Item[]): HandoverSection<Item> => ({
  items: items.slice(0, maxHandoverItems),
  more: items.length > maxHandoverItems,
});

export async function readHandover(
  tx: Transaction,
  { since, until }: Period,
): Promise<Pick<HandoverResponse, 'accounts' | 'invitations' | 'settings'>> {
  const from = since.toISOString();
  // The reason for a suspension is removed with the suspension, which is an entry of its own. So at most half are left out.
  const accounts = await readActivity(tx, { kind: 'accounts', from, limit: 2 * limit });
  const invitations = await readInvitationEvents(tx, { since, until });
  const expiring = toSection(invitations.filter(({ event }) => event === 'expires'));
  const past = toSection(invitations.filter(({ event }) => event !== 'expires'));
  return {
    accounts: toSection(
      accounts.filter(
        (item) => item.table_name !== 'private.account_suspensions' || item.action !== 'DELETE',
      ),
    ),
    invitations: { items: [...expiring.items, ...past.items], more: expiring.more || past.more },
    settings: toSection(await readActivity(tx, { kind: 'settings', from, limit })),
  };
}

/**
 * The emails are the attempts to invite, without those that a later change replaced. Invitations that expire soon come first,
 * the next one at the top.
 */
async function readInvitationEvents(
  tx: Transaction,
  { since, until }: Period,
): Promise<HandoverInvitation[]> {
  const rows = await tx.query<Omit<HandoverInvitation, 'at'> & { at: Date }>(
    sql`with expiring as (
          select i.id, 'expires' as event, i.expires_at as at, null::uuid as actor_id, null::text as actor
            from private.invitations i
           where i.status = 'pending' and i.expires_at > ${until}
             and i.expires_at <= ${until}::timestamptz + ${expiresSoonHours} * interval '1 hour'
           order by i.expires_at, i.id limit ${limit}
        ), past as (
          select i.id, 'accepted' as event, i.accepted_at as at, null::uuid as actor_id, i.full_name as actor
            from private.invitations i where i.accepted_at >= ${since}
          union all
          select i.id,
                 case d.status when 'handed_over' then 'sent' when 'captured' then 'captured' when 'waiting' then 'queued'
                   when 'timed_out' then 'unconfirmed' else 'failed' end,
                 coalesce(d.finished_at, d.created_at),
                 null,
                 case d.inviter_kind when 'recipient' then i.full_name
                   when 'command_line' then coalesce(d.inviter, 'command line') else d.inviter end
            from private.deliveries d join private.invitations i on i.id = d.invitation_id
           where d.kind = 'invitation' and (d.finished_at >= ${since} or d.status = 'waiting' and d.created_at >= ${since})
             and coalesce(d.answer, '') not like all (${replacedAnswerPatterns}::text[])
          union all
          select i.id, case l.action when 'link_created' then 'link' else 'revoked' end, l.at, l.actor,
                 case when l.actor is null then l.request_id end
            from private.audit_log l join private.invitations i on i.id::text = l.row_id
           where l.table_name = 'private.invitations' and l.at >= ${since}
             and (l.action = 'link_created' or l.after ->> 'status' = 'revoked' and l.before ->> 'status' <> 'revoked')
        ), newest as (
          select * from past order by at desc, id limit ${limit}
        )
        select e.id, e.event, e.at, i.full_name, i.email,
               coalesce(e.actor, private.display_name(p.full_name, u.email)) as actor
          from (select * from expiring union all select * from newest) e join private.invitations i on i.id = e.id
          left join auth.users u on u.id = e.actor_id left join public.profiles p on p.id = u.id
         order by case when e.event = 'expires' then e.at end, e.at desc, e.id`,
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** Reads administrators and sender of the printed sheet. Reads no secret and no sign-in data. */
export async function readSheet(tx: Transaction): Promise<HandoverSheetResponse> {
  const administrators = await tx.query<Omit<SheetAdministrator, 'ends_at'> & { ends_at: Date | null }>(
    sql`select private.display_name(full_name, null) as name, email, ends_at from private.active_administrators
         order by lower(private.display_name(full_name, email)), id`,
  );
  const [sender] = await tx.query<{ name: string; email: string }>(
    sql`select sender_name as name, sender_email as email from public.notification_settings
        order by created_at, id limit 1`,
  );
  return {
    administrators: administrators.map(({ ends_at: end, ...row }) => ({
      ...row,
      ends_at: end?.toISOString() ?? null,
    })),
    sender: sender ?? null,
  };
}
