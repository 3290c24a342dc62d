-- The audit log of the product: one row per change of a table, and actions that change no table. Triggers and the service
-- write it; the activity of the console and the command line read it.
create table private.audit_log (
  id bigint generated always as identity,
  at timestamptz not null default now(),
  -- Null for a change by the service or by SQL.
  actor uuid,
  request_id text,
  table_name text not null,
  row_id text,
  action text not null,
  before jsonb,
  after jsonb,
  -- The client claims 'console'; nothing verifies it.
  origin text default coalesce(nullif(current_setting('request.origin', true), ''), 'service'),
  -- The same for the entries of all requests of one action, such as an import of several requests; null for an action of one.
  -- The service derives it, so that only actions of the same user and kind share it.
  run_id uuid default nullif(current_setting('request.run_id', true), '')::uuid,
  -- New entries almost always have the highest keys (an entry of a long transaction has a lower one), so this index and
  -- audit_log_newest_idx grow at their end. The default leaves a tenth of each page free for keys between others.
  constraint audit_log_pkey primary key (id) with (fillfactor = 100),
  -- Lower case: an action that changes no recorded table, such as 'exported'. Its details are in "after".
  constraint audit_log_action_check check (
    action in ('INSERT', 'UPDATE', 'DELETE') or action ~ '^[a-z_]{3,50}$'
  ),
  constraint audit_log_origin_check check (origin in ('console', 'interface', 'command line', 'service'))
);

-- One index per filter of the activity. Ascending, although the list starts with the newest entry: Postgres fills the pages
-- of an index that grows at its end. Indexes in descending order grow at their start and were half empty.
create index audit_log_newest_idx on private.audit_log (at, id) with (fillfactor = 100);
create index audit_log_table_idx on private.audit_log (table_name, at, id);
-- Who: the user, or the origin of a change without a user. The same expression as in apps/server/src/activity. With the table,
-- so that the activity of one user and one kind reads only its entries; the activity of one user merges the tables.
create index audit_log_person_idx on private.audit_log ((coalesce(actor::text, origin)), table_name, at, id);
-- The account of a change of an account or of its members, the user of a change of a role or factor, or the row itself.
create index audit_log_record_idx on private.audit_log ((
  coalesce(
    coalesce(after, before) ->> 'account_id',
    case when table_name in ('public.user_roles', 'auth.mfa_factors', 'auth.sessions')
      then coalesce(after, before) ->> 'user_id' end,
    row_id
  )
), at, id);

-- Records a change of any table, as the trigger record_change. Of an updated row, an entry stores the changed columns before
-- and after, and the columns that identify the record: whole rows made up more than half of the audit log.
-- `updated_at` repeats the time of the entry.
create function private.record_change() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  before jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) end;
  after jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) end;
  row_id text := coalesce(after, before) ->> 'id';
  omitted text[];
begin
  if tg_op = 'UPDATE' then
    omitted := array(
      select f.key from jsonb_each(before) f
        where f.value is not distinct from after -> f.key or f.key = 'updated_at'
    );
    before := before - omitted;
    after := after - array(
      select o.key from unnest(omitted) o (key)
        where o.key not in ('account_id', 'user_id', 'name', 'full_name', 'sender_name', 'email')
    );
  end if;
  insert into private.audit_log (actor, request_id, table_name, row_id, action, before, after)
  values (
    auth.uid(),
    nullif(current_setting('request.id', true), ''),
    tg_table_schema || '.' || tg_table_name,
    row_id,
    tg_op,
    before,
    after
  );
  return null;
end
$$;

alter table private.audit_log enable row level security;
alter table private.audit_log force row level security;

-- No policy permits an update. Entries of the last day, and entries above the last checkpoint of the audit chain, cannot be
-- deleted.
create policy service_reads on private.audit_log for select to current_user using (true);
create policy service_writes on private.audit_log for insert to current_user with check (true);
create policy service_expires on private.audit_log for delete to current_user
  using (
    at < now() - interval '1 day'
    and exists (
      select from private.audit_seals s
      where s.entry_id = audit_log.id and s.position <= (select max(c.position) from private.audit_checkpoints c)
    )
  );
