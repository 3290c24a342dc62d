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

interface Period {
  readonly since: Date;
  readonly until: Date;
}

const limit = maxHandoverItems + 1;

const toSection = <Item>(items: readonly Item[]): HandoverSection<Item> => ({
  items: items.slice(0, maxHandoverItems),
  more: items.length > maxHandoverItems,
});

/** @param replacedAnswers ends of the answers of emails that a later change replaced */
export async function readHandover(
  tx: Transaction,
  { since, until }: Period,
  replacedAnswers: readonly string[],
): Promise<Pick<HandoverResponse, 'accounts' | 'invitations' | 'settings'>> {
  const from = since.toISOString();
  const accounts = toSection(await readActivity(tx, { kind: 'accounts', from, limit }));
  return {
    // The reason for a suspension is removed with the suspension, which is an entry of its own.
    accounts: {
      ...accounts,
      items: accounts.items.filter(
        (item) => item.table_name !== 'private.account_suspensions' || item.action !== 'DELETE',
      ),
    },
    invitations: toSection(await readInvitationEvents(tx, { since, until }, replacedAnswers)),
    settings: toSection(await readActivity(tx, { kind: 'settings', from, limit })),
  };
}

/** The emails are the attempts to invite, without those that a later change replaced; invitations that expire soon come first. */
async function readInvitationEvents(
  tx: Transaction,
  { since, until }: Period,
  replacedAnswers: readonly string[],
): Promise<HandoverInvitation[]> {
  const rows = await tx.query<Omit<HandoverInvitation, 'at'> & { at: Date }>(
    sql`with events as (
          select i.id, 'expires' as event, i.expires_at as at, i.invited_by as actor_id, null as actor
            from private.invitations i
           where i.status = 'pending' and i.expires_at > ${until}
             and i.expires_at <= ${until}::timestamptz + ${expiresSoonHours} * interval '1 hour'
          union all
          select i.id, 'accepted', i.accepted_at, null, i.full_name from private.invitations i
           where i.accepted_at >= ${since}
          union all
          select i.id, case d.status when 'handed_over' then 'sent' when 'captured' then 'captured' else 'failed' end,
                 d.finished_at, i.invited_by, d.inviter
            from private.deliveries d join private.invitations i on i.id = d.invitation_id
           where d.kind = 'invitation' and d.finished_at >= ${since} and d.status <> 'waiting'
             and not exists (
               select from unnest(${[...replacedAnswers]}::text[]) r (answer)
               where right(d.answer, length(r.answer)) = r.answer
             )
          union all
          select i.id, 'revoked', l.at, l.actor, case when l.actor is null then l.request_id end
            from private.audit_log l join private.invitations i on i.id::text = l.row_id
           where l.table_name = 'private.invitations' and l.at >= ${since}
             and l.after ->> 'status' = 'revoked' and l.before ->> 'status' <> 'revoked'
        )
        select e.id, e.event, e.at, i.full_name, i.email,
               coalesce(e.actor, private.display_name(p.full_name, u.email)) as actor
          from events e join private.invitations i on i.id = e.id
          left join auth.users u on u.id = e.actor_id left join public.profiles p on p.id = u.id
         order by e.event = 'expires' desc, e.at desc, e.id limit ${limit}`,
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
