-- The sender identity of outgoing mail: one record for the whole platform.
create table public.notification_settings (
  id uuid primary key default gen_random_uuid(),
  sender_email text not null check (
    char_length(sender_email) <= 255 and sender_email ~ '^[^@[:space:]]+@[^@[:space:]]+\.[^@[:space:]]+$'
  ),
  sender_name text not null check (
    char_length(sender_name) between 1 and 100 and sender_name !~ '[[:cntrl:]]'
  ),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references auth.users on delete set null
);

create function private.stamp_notification_settings() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.updated_at := now();
  new.updated_by := auth.uid();
  return new;
end
$$;
create trigger stamp before insert or update on public.notification_settings
  for each row execute function private.stamp_notification_settings();
create trigger record_change after insert or update or delete on public.notification_settings
  for each row execute function private.record_change();

-- Requests keep a single row, also when two first saves arrive at once. Rows added by hand stay
-- possible; the oldest one counts.
create function private.keep_single_settings() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('private.keep_single_settings'));
  -- Whoever may not save gets the policy's refusal, and learns nothing from this one.
  if (auth.role() = 'service_role' or private.is_platform_admin())
    and exists (select from public.notification_settings) then
    raise exception using
      errcode = '23505',
      message = 'Notification settings exist already',
      hint = 'Reload and save again: the existing record is updated.';
  end if;
  return new;
end
$$;
create trigger keep_single before insert on public.notification_settings
  for each row execute function private.keep_single_settings();

alter table public.notification_settings enable row level security;
alter table public.notification_settings force row level security;
revoke all on public.notification_settings from public, anon, authenticated, service_role;
grant select on public.notification_settings to authenticated;
grant insert (sender_email, sender_name), update (sender_email, sender_name)
  on public.notification_settings to authenticated;
grant select, insert, update, delete on public.notification_settings to service_role;

-- Everybody signed in may know in whose name the platform writes.
create policy read_settings on public.notification_settings for select to authenticated using (true);
create policy create_settings on public.notification_settings for insert to authenticated
  with check ((select private.is_platform_admin()));
-- Rows stay visible to the update of others, so that a refusal is an error and no silent success.
create policy update_settings on public.notification_settings for update to authenticated
  using (true) with check ((select private.is_platform_admin()));
create policy service on public.notification_settings to service_role, current_user
  using (true) with check (true);
