-- The display name of each user. A trigger creates the row together with the user.
create table public.profiles (
  id uuid not null,
  full_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint profiles_pkey primary key (id),
  constraint profiles_id_fkey foreign key (id) references auth.users on delete cascade,
  constraint profiles_full_name_check check (char_length(full_name) <= 200 and full_name !~ '[[:cntrl:]]'),
  -- The rules of all text fields, with the same sets as in packages/contract/src/text-checks.ts. Direction controls can make
  -- a name read as another one. A name needs a visible character; zero-width joiners are allowed beside one, because words
  -- and emoji need them.
  constraint profiles_full_name_turns_no_text check (full_name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  constraint profiles_full_name_is_visible check (full_name ~
    '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
    '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
    '\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]')
);

create trigger touch_updated_at before update on public.profiles
  for each row execute function private.touch_updated_at();

create trigger record_change after insert or update or delete on public.profiles
  for each row execute function private.record_change();

create function private.create_profile() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  -- The client chooses the metadata. An invalid name must not prevent the user from being created, so it is repaired.
  name text := nullif(btrim(left(regexp_replace(
    new.raw_user_meta_data ->> 'full_name',
    '[[:cntrl:]\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', ' ', 'g'), 200)), '');
begin
  insert into public.profiles (id, full_name)
    values (
      new.id,
      case when name ~ ('[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
      '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
      '\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]') then name end
    )
    on conflict (id) do nothing;
  return null;
end
$$;
create trigger create_profile after insert on auth.users
  for each row execute function private.create_profile();

-- The name by which the product shows a user.
create function private.display_name(full_name text, email text) returns text
  language sql immutable parallel safe
  return coalesce(nullif(btrim(full_name), ''), email);
revoke execute on function private.display_name(text, text) from public;

alter table public.profiles enable row level security;
alter table public.profiles force row level security;

revoke all on public.profiles from public, anon, authenticated, service_role;
grant select on public.profiles to authenticated;
grant select, insert, update, delete on public.profiles to service_role;

-- No screen shows the profile of another user, so an administrator also reads only their own.
create policy own_profile on public.profiles for select to authenticated
  using (id = (select auth.uid()));
create policy service on public.profiles to service_role, current_user using (true) with check (true);
