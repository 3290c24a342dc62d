-- Members of accounts.
create table public.account_members (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  user_id uuid not null,
  status text not null default 'active',
  created_at timestamptz not null default now(),
  constraint account_members_pkey primary key (id),
  constraint account_members_account_id_user_id_key unique (account_id, user_id),
  constraint account_members_account_id_fkey foreign key (account_id) references public.accounts on delete cascade,
  constraint account_members_user_id_fkey foreign key (user_id) references auth.users on delete cascade,
  constraint account_members_status_check check (char_length(status) between 1 and 50)
);

create index account_members_user_id_idx on public.account_members (user_id);
-- The order of the list in the panel of an account.
create index account_members_newest_idx on public.account_members (account_id, created_at desc, id desc);

create trigger record_change after insert or update or delete on public.account_members
  for each row execute function private.record_change();

-- Maintains accounts.active_members.
create function private.count_active_members() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- Adds a difference instead of a new count, so that concurrent inserts both count.
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

alter table public.account_members enable row level security;
alter table public.account_members force row level security;

revoke all on public.account_members from public, anon, authenticated, service_role;
grant select on public.account_members to authenticated;
grant select, insert, update, delete on public.account_members to service_role;

create policy own_memberships on public.account_members for select to authenticated
  using (user_id = (select auth.uid()));
create policy service on public.account_members to service_role, current_user using (true) with check (true);
