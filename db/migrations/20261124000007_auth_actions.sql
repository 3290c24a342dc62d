-- Adds the actions of administrators in the Auth API that change how users sign in. The audit log of the Auth API has all
-- actions with their details; this entry has none.
create function private.record_auth_action() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  actor_id uuid := (new.payload ->> 'actor_id')::uuid;
begin
  if exists (select from public.user_roles r where r.user_id = actor_id and r.role = 'platform_admin') then
    insert into private.audit_log (actor, request_id, table_name, row_id, action)
    values (
      actor_id,
      new.payload ->> 'request_id',
      'auth.users',
      coalesce(new.payload -> 'traits' ->> 'user_id', new.payload ->> 'actor_id'),
      new.payload ->> 'action'
    );
  end if;
  return null;
end
$$;
create trigger record_auth_action after insert on auth.audit_log_entries
  for each row when (new.payload ->> 'action' in (
    'user_updated_password', 'user_modified', 'user_deleted', 'factor_unenrolled', 'factor_deleted', 'factor_updated',
    'recovery_codes_generated', 'recovery_codes_deleted', 'identity_linked', 'identity_unlinked',
    'passkey_created', 'passkey_updated', 'passkey_deleted'
  ))
  execute function private.record_auth_action();
