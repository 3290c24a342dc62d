-- Changes of accounts by administrators: their fields through the Data API, their status through the service.

-- The user of the last change; null after a change by the service or by SQL, and before the first change.
alter table public.accounts
  add column updated_by uuid
    constraint accounts_updated_by_fkey references auth.users on delete set null;
create index accounts_updated_by_idx on public.accounts (updated_by);

-- Records the time and the author of a change. A save names the time that it started from, so each change has another
-- time, also within one transaction.
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

drop trigger touch_updated_at on public.accounts;
-- A change of the member count is not a change of the account, nor is the deletion of a user that it names.
create trigger stamp before update on public.accounts
  for each row when (
    old.active_members = new.active_members
    and old.created_by is not distinct from new.created_by
    and old.updated_by is not distinct from new.updated_by
  )
  execute function private.stamp_account();

-- Rejects other changes of the status than those of packages/contract/src/account-status.ts, for every client. A word
-- that this version does not know can only become 'active'.
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
    message = format('An account with the status "%s" cannot get the status "%s"', old.status, new.status);
end
$$;
create trigger check_status before update on public.accounts
  for each row when (old.status <> new.status) execute function private.check_account_status();

-- Why an account is suspended. The ID is that of the account.
create table private.account_suspensions (
  id uuid not null,
  reason text not null,
  suspended_at timestamptz not null default now(),
  -- Null for the command line.
  suspended_by uuid,
  constraint account_suspensions_pkey primary key (id),
  constraint account_suspensions_id_fkey foreign key (id) references public.accounts on delete cascade,
  constraint account_suspensions_suspended_by_fkey
    foreign key (suspended_by) references auth.users on delete set null,
  constraint account_suspensions_reason_check check (
    char_length(reason) between 1 and 500 and reason = btrim(reason) and reason !~ '[[:cntrl:]]'
  )
);

create index account_suspensions_suspended_by_idx on private.account_suspensions (suspended_by);

create trigger record_change after insert or update or delete on private.account_suspensions
  for each row execute function private.record_change();

-- Removes the reason when the account is no longer suspended. The audit log keeps it.
create function private.end_account_suspension() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  delete from private.account_suspensions s where s.id = new.id;
  return null;
end
$$;
create trigger end_suspension after update on public.accounts
  for each row when (old.status <> new.status and new.status <> 'suspended')
  execute function private.end_account_suspension();

alter table private.account_suspensions enable row level security;
alter table private.account_suspensions force row level security;

revoke all on private.account_suspensions from public, anon, authenticated, service_role;

create policy service on private.account_suspensions to current_user using (true) with check (true);

-- The fields of the form. Only the service sets the status.
grant update (name, slug, account_type, address, city, state, zip_code) on public.accounts to authenticated;
-- `using (true)`: an update of a visible account by a member is then an error; otherwise it would update no row and
-- report success. No second policy for administrators: updates find their row by its ID.
create policy update_accounts on public.accounts for update to authenticated
  using (true) with check ((select private.is_platform_admin()));
