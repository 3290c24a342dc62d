/** Reads what administrators did with an invitation and its administrator, from the audit log. */
import type { InvitationEvent } from '@lanternrock/contract/invitations';
import type { Transaction } from '@lanternrock/postgres';
import { compileRecord } from '../activity/activity-scan.ts';

const maxEvents = 50;

interface EventRow {
  event: InvitationEvent['event'];
  at: Date;
  actor: string | null;
}

/** By the status before and after a change. Other changes have no status before. */
const eventOfEntry = `case
      when l.action = 'link_created' then 'link_created'
      when l.before ->> 'status' is null then null
      when l.after ->> 'status' = 'revoked' then 'revoked'
      when l.after ->> 'status' = 'removed' then 'removed'
      when l.after ->> 'status' = 'ended' then 'ended'
      when l.before ->> 'status' = 'removed' and l.after ->> 'status' = 'accepted' then 'restored'
      when l.before ->> 'status' = 'ended' and l.after ->> 'status' = 'accepted' then 'extended'
    end`;

/** Returns the events, newest first. Entries of the audit log that the retention has removed are missing. */
export async function readInvitationEvents(tx: Transaction, id: string): Promise<readonly InvitationEvent[]> {
  const rows = await tx.query<EventRow>({
    text: `select e.event, e.at, coalesce(private.display_name(p.full_name, u.email), e.operator) as actor
        from (
          select l.id, l.at, l.actor, ${eventOfEntry} as event,
                 case when l.actor is null and l.origin = 'command line' then l.request_id end as operator
            from private.audit_log l
           where ${compileRecord('l')} = $1 and l.table_name = 'private.invitations'
        ) e left join auth.users u on u.id = e.actor left join public.profiles p on p.id = u.id
       where e.event is not null
       order by e.at desc, e.id desc limit ${maxEvents}`,
    values: [id],
  });
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
