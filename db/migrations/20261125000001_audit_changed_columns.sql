-- An entry of an update stores the whole new row, and of the old row only the columns that changed. Whole old rows made up
-- almost half of the audit log.
create or replace function private.record_change() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  before jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) end;
  after jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) end;
begin
  if tg_op = 'UPDATE' then
    before := (
      select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(before) f
        where f.value is distinct from after -> f.key
    );
  end if;
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
