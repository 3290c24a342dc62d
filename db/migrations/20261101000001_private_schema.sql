-- Everything that policies and triggers need and no request may name. The data interface does not
-- expose this schema; helpers used inside policies stay executable, because policies run as the caller.
create schema private;
revoke all on schema private from public;
grant usage on schema private to authenticated, service_role;
alter default privileges in schema public revoke execute on functions from public;

-- One row per change of a product table; written by triggers, read by the command line.
create table private.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- Null for changes that the service or somebody with SQL made.
  actor uuid,
  request_id text,
  table_name text not null,
  row_id text,
  action text not null check (action in ('INSERT', 'UPDATE', 'DELETE')),
  before jsonb,
  after jsonb
);
create index audit_log_at_idx on private.audit_log (at desc);
alter table private.audit_log enable row level security;
alter table private.audit_log force row level security;
create policy service_reads on private.audit_log for select to current_user using (true);
create policy service_writes on private.audit_log for insert to current_user with check (true);
create policy service_expires on private.audit_log for delete to current_user using (at < now() - interval '1 day');

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

create function private.touch_updated_at() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
