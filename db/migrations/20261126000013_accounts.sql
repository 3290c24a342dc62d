-- Customer accounts. The limits are those of packages/contract/src/accounts.ts.
create type public.account_type as enum ('enterprise', 'organization');

create table public.accounts (
  id uuid not null default gen_random_uuid(),
  name text not null,
  -- Derived from the name. Two accounts may share it; a name without Latin letters gives ''.
  slug text not null,
  account_type public.account_type not null,
  address text,
  city text,
  state text,
  zip_code text,
  -- Open text: new accounts are 'active', the command line sets other values.
  status text not null default 'active',
  -- Maintained by a trigger on account_members, so that the list needs no second request.
  active_members integer not null default 0,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The user of the last change; null after a change by the service or by SQL, and before the first change.
  updated_by uuid,
  constraint accounts_pkey primary key (id),
  constraint accounts_created_by_fkey foreign key (created_by) references auth.users on delete set null,
  constraint accounts_updated_by_fkey foreign key (updated_by) references auth.users on delete set null,
  constraint accounts_name_check check (
    char_length(name) between 1 and 200 and name = btrim(name) and name !~ '[[:cntrl:]]'
  ),
  -- The rules of all text fields: see public.profiles.
  constraint accounts_name_turns_no_text check (name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  constraint accounts_name_is_visible check (name ~
    '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
    '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
    '\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'),
  constraint accounts_slug_check check (char_length(slug) <= 200 and slug ~ '^([a-z0-9]+(-[a-z0-9]+)*)?$'),
  constraint accounts_address_check check (char_length(address) <= 500 and address !~ '[[:cntrl:]]'),
  constraint accounts_address_turns_no_text check (address !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  constraint accounts_city_check check (char_length(city) <= 100 and city !~ '[[:cntrl:]]'),
  constraint accounts_city_turns_no_text check (city !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  constraint accounts_state_check check (char_length(state) <= 50 and state !~ '[[:cntrl:]]'),
  constraint accounts_state_turns_no_text check (state !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  constraint accounts_zip_code_check check (char_length(zip_code) <= 20 and zip_code !~ '[[:cntrl:]]'),
  constraint accounts_zip_code_turns_no_text check (zip_code !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  -- Bounds the work for a searched text by its length after compatibility decomposition: U+FDFA is one character, and 18
  -- decomposed. Three times the limit of the field, because a Hangul syllable has three letters. No character has more than six
  -- for each of its bytes, so a short text is not decomposed.
  constraint accounts_name_decomposed_check
    check (octet_length(name) <= 100 or char_length(normalize(name, NFKD)) <= 600),
  constraint accounts_city_decomposed_check
    check (octet_length(city) <= 50 or char_length(normalize(city, NFKD)) <= 300),
  constraint accounts_state_decomposed_check
    check (octet_length(state) <= 25 or char_length(normalize(state, NFKD)) <= 150),
  constraint accounts_status_check check (char_length(status) between 1 and 50),
  constraint accounts_active_members_check check (active_members >= 0)
);

-- The orders of the account list. Each one ends with the ID, so that equal values have a fixed order.
create index accounts_newest_idx on public.accounts (created_at desc, id desc);
create index accounts_name_key_idx on public.accounts ((private.fold_text(name)::private.folded_text), id);
create index accounts_type_idx on public.accounts (account_type, id);
create index accounts_status_idx on public.accounts (status, id);
create index accounts_updated_idx on public.accounts (updated_at, id);
-- An import finds its accounts by slug, or by slug and name if the file has no slugs.
create index accounts_slug_name_idx on public.accounts (slug, private.fold_text(name));
create index accounts_created_by_idx on public.accounts (created_by);
create index accounts_updated_by_idx on public.accounts (updated_by);

-- Indexes for searches of the list, the command palette, the export and the commands. The extension pg_trgm is optional: it can
-- be missing, or the login can lack the right to create it. Without it a search reads the whole table.
do $$
declare
  extension_schema text;
begin
  begin
    -- Not in an exposed schema: the Data API would offer the functions of the extension.
    create schema if not exists extensions;
    create extension if not exists pg_trgm schema extensions;
  exception when insufficient_privilege or feature_not_supported or undefined_file then
    raise notice 'pg_trgm is not available (%); account searches read the whole table', sqlerrm;
  end;
  select n.nspname into extension_schema
    from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm';
  if found then
    execute format(
      'create index accounts_folded_search_idx on public.accounts
        using gin ((private.spellings(name) || chr(10) || slug) %I.gin_trgm_ops)',
      extension_schema
    );
    execute format(
      'create index accounts_folded_place_idx on public.accounts
        using gin (private.spellings(coalesce(city, '''') || chr(10) || coalesce(state, '''')) %I.gin_trgm_ops)',
      extension_schema
    );
  end if;
end
$$;

-- Computed columns of accounts, for filters and orders: the folded texts that the list and the command palette search, and the
-- order of names. No searched text contains the separator. The argument has no name, so that clients cannot call the functions.
-- A slug is its own folded form: an exact count computes the text for every account.
create function public.search_text(public.accounts) returns text
  language sql immutable parallel safe
  return private.spellings($1.name) || chr(10) || $1.slug;

create function public.place_text(public.accounts) returns text
  language sql immutable parallel safe
  return private.spellings(coalesce($1.city, '') || chr(10) || coalesce($1.state, ''));

create function public.name_key(public.accounts) returns private.folded_text
  language sql immutable parallel safe
  return private.fold_text($1.name)::private.folded_text;

grant execute on function public.search_text(public.accounts), public.place_text(public.accounts),
  public.name_key(public.accounts) to authenticated, service_role;

-- Records the time and the author of a change. A save states the time of the row that it started from, so each change gets a
-- different time, also within one transaction.
create function private.stamp_account() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.updated_at := greatest(pg_catalog.clock_timestamp(), old.updated_at + interval '1 microsecond');
  new.updated_by := auth.uid();
  return new;
end
$$;
-- A change of the member count is not a change of the account, nor is the deletion of a user that it references.
create trigger stamp before update on public.accounts
  for each row when (
    old.active_members = new.active_members
    and old.created_by is not distinct from new.created_by
    and old.updated_by is not distinct from new.updated_by
  )
  execute function private.stamp_account();

create trigger record_change after insert or delete on public.accounts
  for each row execute function private.record_change();
create trigger record_update after update on public.accounts
  for each row when (old.active_members = new.active_members)
  execute function private.record_change();

-- Rejects changes of the status that packages/contract/src/account-status.ts does not allow, for every client. A status that
-- this version does not know can only become 'active'.
create function private.check_account_status() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if (old.status, new.status) in (
    ('active', 'suspended'), ('suspended', 'active'),
    ('active', 'archived'), ('suspended', 'archived'), ('archived', 'active')
  ) or (old.status not in ('active', 'suspended', 'archived') and new.status = 'active') then
    return new;
  end if;
  raise exception using
    errcode = '23514',
    schema = 'public',
    table = 'accounts',
    constraint = 'accounts_status_transition',
    message = format('The status of an account cannot change from "%s" to "%s"', old.status, new.status);
end
$$;
create trigger check_status before update on public.accounts
  for each row when (old.status <> new.status) execute function private.check_account_status();

-- Returns the accounts of which the user of the request is an active member. PL/pgSQL and parallel safe, as
-- is_platform_admin is.
create function private.own_account_ids() returns setof uuid
  language plpgsql stable parallel safe security definer
  set search_path = ''
as $$
begin
  return query
    select m.account_id from public.account_members m
      where m.user_id = auth.uid() and m.status = 'active';
end
$$;
grant execute on function private.own_account_ids() to authenticated, service_role;

alter table public.accounts enable row level security;
alter table public.accounts force row level security;

revoke all on public.accounts from public, anon, authenticated, service_role;
grant select on public.accounts to authenticated;
-- Only administrators create and change accounts, so only their database role has the privileges. The Data API then rejects all
-- others before it reads a body. The columns are those that the console sends: the database sets IDs, times and the member
-- count, and only the service changes the status.
grant insert (name, slug, account_type, address, city, state, zip_code, status, created_by),
    update (name, slug, account_type, address, city, state, zip_code)
  on public.accounts to platform_administrator;
grant select, insert, update, delete on public.accounts to service_role;

-- Administrators read every account, members read theirs. Postgres evaluates the subselects once per statement.
create policy read_accounts on public.accounts for select to authenticated
  using ((select private.is_platform_admin()) or id in (select private.own_account_ids()));
-- The same rows as read_accounts for administrators, without a condition. A platform that takes the role from the token
-- uses read_accounts only, which is slower.
create policy administrators_read_accounts on public.accounts for select to platform_administrator using (true);
create policy create_accounts on public.accounts for insert to authenticated
  with check (
    (select private.is_platform_admin()) and created_by = (select auth.uid()) and status = 'active'
  );
-- `using (true)`: an update of a visible account by a member is then an error; otherwise it would update no row and
-- report success. No second policy for administrators: updates find their row by its ID.
create policy update_accounts on public.accounts for update to authenticated
  using (true) with check ((select private.is_platform_admin()));
create policy service on public.accounts to service_role, current_user using (true) with check (true);
