/** Reads what changed in a period, for an administrator who takes over. */
import type { ActivityGroup } from '@lanternrock/contract/activity';
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
import { readActivityGroups } from '../activity/activity-groups.ts';
import { replacedAnswerPatterns } from '../mail/deliveries.ts';
import { formatPhone } from '../phone-numbers.ts';

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
  const accounts = toSection(await readActivityGroups(tx, { kind: 'accounts', from, limit }));
  const invitations = await readInvitationEvents(tx, { since, until });
  const expiring = toSection(invitations.filter(({ event }) => event === 'expires'));
  const past = toSection(invitations.filter(({ event }) => event !== 'expires'));
  return {
    accounts: { ...accounts, items: accounts.items.filter((group) => !isReasonRemoval(group)) },
    invitations: { items: [...expiring.items, ...past.items], more: expiring.more || past.more },
    settings: toSection(await readActivityGroups(tx, { kind: 'settings', from, limit })),
  };
}

/** SQL without a request removes the reason for a suspension as a separate action. */
const isReasonRemoval = ({ table_name: table, action, count }: ActivityGroup): boolean =>
  count === 1 && table === 'private.account_suspensions' && action === 'DELETE';

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
                 case when former.name = d.inviter then i.invited_by end,
                 case when d.inviter_kind = 'recipient' then i.full_name
                   when d.inviter_kind = 'command_line' then coalesce(d.inviter, 'command line')
                   when former.name = d.inviter then null else d.inviter end
            from private.deliveries d join private.invitations i on i.id = d.invitation_id
              -- The email named the inviter, who may have another name now.
              left join lateral (
                select r.row_id, r.before ->> 'full_name' as name from private.audit_log r
                  where r.action = 'UPDATE'
                    and (r.table_name = 'public.accounts' and r.before ? 'name'
                      or r.table_name = 'public.profiles' and r.before ? 'full_name')
                    and (r.row_id, r.at, r.id) > (i.invited_by::text, d.created_at, 0::bigint)
                  order by r.row_id, r.at, r.id limit 1
              ) former on former.row_id = i.invited_by::text and d.inviter_kind = 'administrator'
           where d.kind = 'invitation' and (d.finished_at >= ${since} or d.status = 'waiting' and d.created_at >= ${since})
             and coalesce(d.answer, '') not like all (${replacedAnswerPatterns}::text[])
          union all
          select i.id, case l.action when 'link_created' then 'link' else 'revoked' end, l.at, l.actor,
                 case when l.actor is null and l.origin = 'command line' then l.request_id end
            from (
              -- Each part has an index.
              select * from private.audit_log where part_of is null and table_name = 'private.invitations' and at >= ${since}
              union all
              select * from private.audit_log where part_of is not null and table_name = 'private.invitations' and at >= ${since}
            ) l join private.invitations i on i.id::text = l.row_id
           where (l.action = 'link_created' or l.after ->> 'status' = 'revoked' and l.before ->> 'status' <> 'revoked')
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
  const administrators = await tx.query<
    Omit<SheetAdministrator, 'ends_at' | 'phone_text'> & { ends_at: Date | null }
  >(
    sql`select private.display_name(a.full_name, null) as name, a.email, p.phone, a.ends_at
          from private.active_administrators a left join public.profiles p on p.id = a.id
         order by lower(private.display_name(a.full_name, a.email)), a.id`,
  );
  const [sender] = await tx.query<{ name: string; email: string }>(
    sql`select sender_name as name, sender_email as email from public.notification_settings
        order by created_at, id limit 1`,
  );
  return {
    administrators: administrators.map(({ ends_at: end, ...row }) => ({
      ...row,
      phone_text: formatPhone(row.phone),
      ends_at: end?.toISOString() ?? null,
    })),
    sender: sender ?? null,
  };
}
