-- The name shown for a person. Made with the user; read by its owner alone.
create table public.profiles (
  id uuid primary key references auth.users on delete cascade,
  full_name text check (char_length(full_name) <= 200 and full_name !~ '[[:cntrl:]]'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
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
  -- Metadata is whatever somebody typed; a name that does not fit must not keep the user from existing.
  insert into public.profiles (id, full_name)
  values (
    new.id,
    nullif(btrim(left(regexp_replace(new.raw_user_meta_data ->> 'full_name', '[[:cntrl:]]', ' ', 'g'), 200)), '')
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

-- No screen shows other people's profiles, so even a platform administrator reads only the own one.
create policy own_profile on public.profiles for select to authenticated
  using (id = (select auth.uid()));
create policy service on public.profiles to service_role, current_user using (true) with check (true);
