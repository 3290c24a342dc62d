-- The display name of each user. A trigger creates the row together with the user.
create table public.profiles (
  id uuid not null,
  full_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint profiles_pkey primary key (id),
  constraint profiles_id_fkey foreign key (id) references auth.users on delete cascade,
  constraint profiles_full_name_check check (char_length(full_name) <= 200 and full_name !~ '[[:cntrl:]]'),
  -- Direction controls can make a name read as another one. The same set as in packages/contract/src/text-checks.ts.
  constraint profiles_full_name_turns_no_text check (full_name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]')
);

create trigger touch_updated_at before update on public.profiles
  for each row execute function private.touch_updated_at();

create trigger record_change after insert or update or delete on public.profiles
  for each row execute function private.record_change();

create function private.create_profile() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The client chooses the metadata. An invalid name must not prevent the user from being created, so it is repaired.
  insert into public.profiles (id, full_name)
  values (
    new.id,
    nullif(btrim(left(regexp_replace(
      new.raw_user_meta_data ->> 'full_name',
      '[[:cntrl:]\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', ' ', 'g'), 200)), '')
  )
  on conflict (id) do nothing;
  return null;
end
$$;
create trigger create_profile after insert on auth.users
  for each row execute function private.create_profile();

alter table public.profiles enable row level security;
alter table public.profiles force row level security;

revoke all on public.profiles from public, anon, authenticated, service_role;
grant select on public.profiles to authenticated;
grant select, insert, update, delete on public.profiles to service_role;

-- No screen shows the profile of another user, so an administrator also reads only their own.
create policy own_profile on public.profiles for select to authenticated
  using (id = (select auth.uid()));
create policy service on public.profiles to service_role, current_user using (true) with check (true);
