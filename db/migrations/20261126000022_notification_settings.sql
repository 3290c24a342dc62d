-- Sender name and email address of outgoing email: one row for the whole instance.
create table public.notification_settings (
  id uuid not null default gen_random_uuid(),
  sender_email text not null,
  sender_name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  constraint notification_settings_pkey primary key (id),
  constraint notification_settings_updated_by_fkey foreign key (updated_by) references auth.users on delete set null,
  constraint notification_settings_sender_email_check check (
    char_length(sender_email) <= 255 and sender_email ~ '^[^@[:space:]]+@[^@[:space:]]+\.[^@[:space:]]+$'
  ),
  -- One email address as packages/contract/src/email.ts normalizes it: lower case, with an ASCII domain, without a name, a
  -- scheme and invisible characters. The service converts international domains before it stores them. The table rejects what
  -- was not converted, such as CSV, so that no domain is stored that imitates another one.
  constraint notification_settings_sender_email_is_one_address check (
    sender_email ~ ('^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*'
      '@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$')
    and position('@' in sender_email) <= 65
  ),
  constraint notification_settings_sender_name_check check (
    char_length(sender_name) between 1 and 100 and sender_name !~ '[[:cntrl:]]'
  ),
  -- The rules of all text fields: see public.profiles.
  constraint notification_settings_sender_name_turns_no_text
    check (sender_name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  constraint notification_settings_sender_name_is_visible check (sender_name ~
    '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
    '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
    '\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]')
);

-- Records the time and the author of a change. A save without a change keeps them, and writes no entry of the audit log.
create function private.stamp_notification_settings() returns trigger
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
create trigger stamp before insert or update on public.notification_settings
  for each row execute function private.stamp_notification_settings();

create trigger record_change after insert or delete on public.notification_settings
  for each row execute function private.record_change();
create trigger record_update after update on public.notification_settings
  for each row when (old is distinct from new) execute function private.record_change();

-- Keeps a single row, also for two concurrent first saves by requests. SQL may insert further rows; the oldest one
-- applies.
create function private.keep_single_settings() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('private.keep_single_settings'));
  -- All other clients get the error of the policy, which does not reveal whether a row exists.
  if (auth.role() = 'service_role' or private.is_platform_admin())
    and exists (select from public.notification_settings) then
    raise exception using
      errcode = '23505',
      message = 'Notification settings already exist',
      hint = 'Reload the page and save again to update the existing settings.';
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
-- Only the database role of administrators, as for public.accounts.
grant insert (sender_email, sender_name), update (sender_email, sender_name)
  on public.notification_settings to platform_administrator;
grant select, insert, update, delete on public.notification_settings to service_role;

-- Every user may read the sender.
create policy read_settings on public.notification_settings for select to authenticated using (true);
create policy create_settings on public.notification_settings for insert to authenticated
  with check ((select private.is_platform_admin()));
-- `using (true)`: an update by another user is then an error; otherwise it would update no row and report success.
create policy update_settings on public.notification_settings for update to authenticated
  using (true) with check ((select private.is_platform_admin()));
create policy service on public.notification_settings to service_role, current_user
  using (true) with check (true);
