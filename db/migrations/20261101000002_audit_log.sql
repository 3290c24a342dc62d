-- The audit log of the product: one row per change of a table. Triggers write it, the command line reads it.
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
  constraint audit_log_pkey primary key (id),
  constraint audit_log_action_check check (action in ('INSERT', 'UPDATE', 'DELETE'))
);

create index audit_log_at_idx on private.audit_log (at desc);

-- Records a change of any table, as the trigger record_change.
create function private.record_change() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  before jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) end;
  after jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) end;
begin
  insert into private.audit_log (actor, request_id, table_name, row_id, action, before, after)
  values (
    auth.uid(),
    nullif(current_setting('request.id', true), ''),
    tg_table_schema || '.' || tg_table_name,
    coalesce(after, before) ->> 'id',
    tg_op,
    before,
    after
  );
  return null;
end
$$;

alter table private.audit_log enable row level security;
alter table private.audit_log force row level security;

-- No policy permits an update, and rows of the last day cannot be deleted.
create policy service_reads on private.audit_log for select to current_user using (true);
create policy service_writes on private.audit_log for insert to current_user with check (true);
create policy service_expires on private.audit_log for delete to current_user using (at < now() - interval '1 day');
