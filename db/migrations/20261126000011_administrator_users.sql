-- Triggers on the tables of the Auth API that protect the users, the factors and the sessions of administrators and record
-- their actions.

-- Keeps the last active administrator: the rule of private.keep_last_platform_admin for changes of the user (a deletion, a ban,
-- another database role).
create function private.keep_platform_admin_access() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  role_end timestamptz;
begin
  if new.deleted_at is not null then
    -- A deleted user has no roles. keep_last_platform_admin rejects the deletion of the last administrator.
    delete from public.user_roles r where r.user_id = new.id;
    return new;
  end if;
  select r.ends_at into role_end from public.user_roles r where r.user_id = new.id and r.role = 'platform_admin';
  if not found then
    return new;
  end if;
  -- Policies grant administrators their rights through this database role only.
  if new.role <> old.role and new.role <> 'authenticated' then
    raise exception using
      errcode = '23514',
      message = 'An administrator must have the database role authenticated';
  end if;
  if new.banned_until > now() and role_end is null then
    perform private.require_other_platform_admin(new.id);
  end if;
  return new;
end
$$;
create trigger keep_platform_admin_access before update of banned_until, deleted_at, role on auth.users
  for each row when (
    old.banned_until is distinct from new.banned_until
    or old.deleted_at is distinct from new.deleted_at
    or old.role is distinct from new.role
  )
  execute function private.keep_platform_admin_access();

-- Protects the user, the factors and the sessions of an administrator from new administrators. Users change their own without
-- a check. The second argument is `with_ended`: an invitation would lift the ban of a removed administrator and remove the
-- factors, but ends no session.
create function private.guard_user_seniority() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.require_seniority((to_jsonb(old) ->> tg_argv[0])::uuid, tg_argv[1]::boolean);
  return coalesce(new, old);
end
$$;
create trigger guard_seniority before update of banned_until, deleted_at, role on auth.users
  for each row when (
    auth.uid() <> old.id and (
      old.banned_until is distinct from new.banned_until
      or old.deleted_at is distinct from new.deleted_at
      or old.role is distinct from new.role
    )
  )
  execute function private.guard_user_seniority('id', 'true');
create trigger guard_seniority before update or delete on auth.mfa_factors
  for each row when (auth.uid() <> old.user_id) execute function private.guard_user_seniority('user_id', 'true');
create trigger guard_seniority before delete on auth.sessions
  for each row when (auth.uid() <> old.user_id) execute function private.guard_user_seniority('user_id', 'false');

-- Adds the actions of administrators in the Auth API that change how users sign in. The audit log of the Auth API has all
-- actions with their details; this entry has none. Supabase Auth also writes entries without an actor, or with an empty one.
create function private.record_auth_action() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  actor_id uuid := nullif(new.payload ->> 'actor_id', '')::uuid;
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
-- Another trigger, because in a hosted project only Supabase Auth owns the table and could replace record_auth_action.
create trigger record_added_factor after insert on auth.audit_log_entries
  for each row when (new.payload ->> 'action' = 'factor_added')
  execute function private.record_auth_action();
