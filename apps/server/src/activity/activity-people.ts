import type { ActivityPerson } from '@lanternrock/contract/activity';
import { type Transaction, sql } from '@lanternrock/postgres';

/**
 * Lists who has entries in the audit log: users, then origins of entries without a user. Each step of the recursion finds
 * the next one by the index, so the cost depends on their number only.
 */
export const readActivityPeople = (tx: Transaction): Promise<ActivityPerson[]> =>
  tx.query(sql`with recursive people (id) as (
      (select coalesce(actor::text, origin) from private.audit_log
        where coalesce(actor::text, origin) is not null and part_of is null order by 1 limit 1)
      union all
      select (select coalesce(l.actor::text, l.origin) from private.audit_log l
        where coalesce(l.actor::text, l.origin) > p.id and l.part_of is null order by 1 limit 1)
      from people p where p.id is not null
    )
    select p.id, private.display_name(f.full_name, u.email) as name, u.email
      from people p
        left join auth.users u on u.id::text = p.id and u.deleted_at is null
        left join public.profiles f on f.id = u.id
      where p.id is not null
      order by u.id is null, p.id !~ '^[0-9a-f-]{36}$', lower(private.display_name(f.full_name, u.email)), p.id
      limit 1000`);
