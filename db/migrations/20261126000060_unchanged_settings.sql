-- A save of the settings without a change keeps the time and the author of the last change, and writes no entry.
create or replace function private.stamp_notification_settings() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if new is distinct from old then
    new.updated_at := now();
    new.updated_by := auth.uid();
  end if;
  return new;
end
$$;

drop trigger record_change on public.notification_settings;
create trigger record_change after insert or delete on public.notification_settings
  for each row execute function private.record_change();
create trigger record_update after update on public.notification_settings
  for each row when (old is distinct from new) execute function private.record_change();
