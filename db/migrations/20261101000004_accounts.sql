-- Customer organizations. Limits are those of the specification, section 9.
create type public.account_type as enum ('enterprise', 'organization');

create table public.accounts (
  id uuid primary key default gen_random_uuid(),
  name text not null check (
    char_length(name) between 1 and 200 and name = btrim(name) and name !~ '[[:cntrl:]]'
  ),
  -- Derived from the name; two accounts may share it, and a name without Latin letters gives ''.
  slug text not null check (char_length(slug) <= 200 and slug ~ '^([a-z0-9]+(-[a-z0-9]+)*)?$'),
  account_type public.account_type not null,
  address text check (char_length(address) <= 500 and address !~ '[[:cntrl:]]'),
  city text check (char_length(city) <= 100 and city !~ '[[:cntrl:]]'),
  state text check (char_length(state) <= 50 and state !~ '[[:cntrl:]]'),
  zip_code text check (char_length(zip_code) <= 20 and zip_code !~ '[[:cntrl:]]'),
  -- Open text: new accounts are 'active', other values come from the command line.
  status text not null default 'active' check (char_length(status) between 1 and 50),
  -- Kept by a trigger on account_members, so that the list needs no second request.
  active_members integer not null default 0 check (active_members >= 0),
  created_by uuid references auth.users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index accounts_newest_idx on public.accounts (created_at desc, id desc);
create index accounts_created_by_idx on public.accounts (created_by);

-- A change of the member count is no change of the account.
create trigger touch_updated_at before update on public.accounts
  for each row when (old.active_members = new.active_members)
  execute function private.touch_updated_at();
create trigger record_change after insert or delete on public.accounts
  for each row execute function private.record_change();
create trigger record_update after update on public.accounts
  for each row when (old.active_members = new.active_members)
  execute function private.record_change();
