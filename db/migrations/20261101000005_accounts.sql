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
  constraint accounts_pkey primary key (id),
  constraint accounts_created_by_fkey foreign key (created_by) references auth.users on delete set null,
  constraint accounts_name_check check (
    char_length(name) between 1 and 200 and name = btrim(name) and name !~ '[[:cntrl:]]'
  ),
  -- Direction controls can make a name read as another one. The same set as in packages/contract/src/text-checks.ts.
  constraint accounts_name_turns_no_text check (name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  constraint accounts_slug_check check (char_length(slug) <= 200 and slug ~ '^([a-z0-9]+(-[a-z0-9]+)*)?$'),
  constraint accounts_address_check check (char_length(address) <= 500 and address !~ '[[:cntrl:]]'),
  constraint accounts_city_check check (char_length(city) <= 100 and city !~ '[[:cntrl:]]'),
  constraint accounts_state_check check (char_length(state) <= 50 and state !~ '[[:cntrl:]]'),
  constraint accounts_zip_code_check check (char_length(zip_code) <= 20 and zip_code !~ '[[:cntrl:]]'),
  constraint accounts_status_check check (char_length(status) between 1 and 50),
  constraint accounts_active_members_check check (active_members >= 0)
);

create index accounts_newest_idx on public.accounts (created_at desc, id desc);
create index accounts_created_by_idx on public.accounts (created_by);

-- Index for searches within names and slugs. The extension pg_trgm is optional: it can be missing, or the login can
-- lack the right to create it. Without it a search reads the whole table.
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
      'create index accounts_search_idx on public.accounts using gin (name %1$I.gin_trgm_ops, slug %1$I.gin_trgm_ops)',
      extension_schema
    );
  end if;
end
$$;

-- A change of the member count is not a change of the account.
create trigger touch_updated_at before update on public.accounts
  for each row when (old.active_members = new.active_members)
  execute function private.touch_updated_at();

create trigger record_change after insert or delete on public.accounts
  for each row execute function private.record_change();
create trigger record_update after update on public.accounts
  for each row when (old.active_members = new.active_members)
  execute function private.record_change();

-- Returns the accounts of which the user of the request is an active member. PL/pgSQL caches its plan, as
-- is_platform_admin does.
create function private.own_account_ids() returns setof uuid
  language plpgsql stable security definer
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
-- The columns that the console sends. The database sets ids, times and the member count.
grant insert (name, slug, account_type, address, city, state, zip_code, status, created_by)
  on public.accounts to authenticated;
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
create policy service on public.accounts to service_role, current_user using (true) with check (true);
