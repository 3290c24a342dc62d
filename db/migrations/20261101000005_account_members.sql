-- Which people belong to which account, and the policies of both tables.
create table public.account_members (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references public.accounts on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  status text not null default 'active' check (char_length(status) between 1 and 50),
  created_at timestamptz not null default now(),
  unique (account_id, user_id)
);
create index account_members_user_id_idx on public.account_members (user_id);

create trigger record_change after insert or update or delete on public.account_members
  for each row execute function private.record_change();

create function private.count_active_members() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- Differences, not a new count: two members added at once both arrive.
  if tg_op <> 'INSERT' and old.status = 'active' then
    update public.accounts set active_members = active_members - 1 where id = old.account_id;
  end if;
  if tg_op <> 'DELETE' and new.status = 'active' then
    update public.accounts set active_members = active_members + 1 where id = new.account_id;
  end if;
  return null;
end
$$;
create trigger count_active_members after insert or update or delete on public.account_members
  for each row execute function private.count_active_members();

-- The accounts of which the caller is an active member.
create function private.own_account_ids() returns setof uuid
  language sql stable security definer
  set search_path = ''
  begin atomic
    select m.account_id from public.account_members m
      where m.user_id = auth.uid() and m.status = 'active';
  end;
grant execute on function private.own_account_ids() to authenticated, service_role;

alter table public.account_members enable row level security;
alter table public.account_members force row level security;
revoke all on public.account_members from public, anon, authenticated, service_role;
grant select on public.account_members to authenticated;
grant select, insert, update, delete on public.account_members to service_role;

create policy own_memberships on public.account_members for select to authenticated
  using (user_id = (select auth.uid()));
create policy service on public.account_members to service_role, current_user using (true) with check (true);

alter table public.accounts enable row level security;
alter table public.accounts force row level security;
revoke all on public.accounts from public, anon, authenticated, service_role;
grant select on public.accounts to authenticated;
-- Exactly what the console sends; ids, times and the member count belong to the database.
grant insert (name, slug, account_type, address, city, state, zip_code, status, created_by)
  on public.accounts to authenticated;
grant select, insert, update, delete on public.accounts to service_role;

-- Platform administrators read every account, members their own. Sub-selects run once per statement.
create policy read_accounts on public.accounts for select to authenticated
  using ((select private.is_platform_admin()) or id in (select private.own_account_ids()));
create policy create_accounts on public.accounts for insert to authenticated
  with check (
    (select private.is_platform_admin()) and created_by = (select auth.uid()) and status = 'active'
  );
create policy service on public.accounts to service_role, current_user using (true) with check (true);
