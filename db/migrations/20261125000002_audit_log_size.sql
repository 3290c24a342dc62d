-- Of an updated row, an entry stores the changed columns before and after, and the columns that name and find the record.
-- Whole new rows made up more than a third of the audit log. `updated_at` repeats the time of the entry.
create or replace function private.record_change() returns trigger
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

-- New entries have the highest keys, and Postgres fills the pages of an index that grows at its end. Indexes in descending
-- order grew at their start and were half empty.
drop index private.audit_log_newest_idx;
drop index private.audit_log_table_idx;
drop index private.audit_log_person_idx;
drop index private.audit_log_record_idx;
create index audit_log_newest_idx on private.audit_log (at, id);
create index audit_log_table_idx on private.audit_log (table_name, at, id);
create index audit_log_person_idx on private.audit_log ((coalesce(actor::text, origin)), at, id);
create index audit_log_record_idx on private.audit_log ((
  coalesce(
    coalesce(after, before) ->> 'account_id',
    case when table_name in ('public.user_roles', 'auth.mfa_factors', 'auth.sessions') then coalesce(after, before) ->> 'user_id' end,
    row_id
  )
), at, id);
