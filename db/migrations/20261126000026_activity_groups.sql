-- What the activity of the console needs besides the audit log: indexes for actions of several entries and for renamed records,
-- and entries for actions of other clients on administrators.

-- The entries of one transaction have the same time. They are one action if they also have the same request: the index returns the
-- first and the last entry of a time, in the order of requests. Times of two transactions can be equal.
create index audit_log_request_idx on private.audit_log (at, (coalesce(request_id, '')), id) with (fillfactor = 100);

-- The entries of an action of several requests. Few entries have a run, so others cost nothing.
create index audit_log_run_idx on private.audit_log (run_id, at, id) where run_id is not null;

-- Renamed accounts and users: few entries, in which the former name of a record is found by its ID and a time.
create index audit_log_renames_idx on private.audit_log (row_id, at, id)
  where action = 'UPDATE'
    and (table_name = 'public.accounts' and before ? 'name' or table_name = 'public.profiles' and before ? 'full_name');

-- Adds the actions of the Auth API that change how an administrator signs in: by administrators, and by clients with the secret key
-- on administrators, which have no actor. The audit log of the Auth API has all actions with their details; this entry has what
-- changed. Supabase Auth also writes entries without an actor, or with an empty one.
create or replace function private.record_auth_action() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  traits jsonb := new.payload -> 'traits';
  actor_id uuid := nullif(new.payload ->> 'actor_id', '')::uuid;
  subject text := coalesce(traits ->> 'user_id', actor_id::text);
begin
  if exists (
    select from public.user_roles r
      where r.role = 'platform_admin' and (r.user_id = actor_id or r.user_id::text = subject)
  ) then
    insert into private.audit_log (actor, request_id, table_name, row_id, action, after)
    values (
      actor_id,
      new.payload ->> 'request_id',
      'auth.users',
      subject,
      new.payload ->> 'action',
      case when traits ? 'changed' then jsonb_build_object('changed', traits -> 'changed') end
    );
  end if;
  return null;
end
$$;
