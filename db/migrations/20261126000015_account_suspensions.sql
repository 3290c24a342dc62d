-- Why an account is suspended.
create table private.account_suspensions (
  -- The ID of the account.
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
  ),
  constraint account_suspensions_reason_turns_no_text
    check (reason !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]')
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
