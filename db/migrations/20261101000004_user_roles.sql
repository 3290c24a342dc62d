-- Roles of users: who is a platform administrator. Only the service writes here: accepting an invitation adds the role,
-- the Admins screen and the command line remove it.
create type public.app_role as enum ('platform_admin');

-- Requests of administrators run as this role, whose policy on accounts is `true`. Postgres applies the condition of a
-- policy before the filters of a request, and most operators (~*, like) are not leakproof, so no index can serve them.
-- It removes the condition `true` from the plan.
do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'platform_administrator') then
    begin
      create role platform_administrator nologin inherit;
    exception when duplicate_object or unique_violation then
      null; -- Created concurrently for another database of this server.
    end;
  end if;
end
$$;
grant authenticated to platform_administrator;
grant platform_administrator to authenticator;
grant platform_administrator to current_user;

create table public.user_roles (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  role public.app_role not null,
  created_at timestamptz not null default now(),
  constraint user_roles_pkey primary key (id),
  -- The role check of the console expects one row or none.
  constraint user_roles_user_id_role_key unique (user_id, role),
  constraint user_roles_user_id_fkey foreign key (user_id) references auth.users on delete cascade
);

create trigger record_change after insert or update or delete on public.user_roles
  for each row execute function private.record_change();

-- Raises an exception if no active administrator other than the given user exists. The triggers below call it with the
-- rights of their owner.
create function private.require_other_platform_admin(changed_user uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  -- Serializes concurrent removals. Otherwise each would count the administrator that the other removes.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('private.require_other_platform_admin'));
  if not exists (
    select from public.user_roles r
      join auth.users u on u.id = r.user_id
      where r.role = 'platform_admin' and r.user_id <> changed_user
        and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
  ) then
    raise exception using
      errcode = '23514',
      message = 'The last platform administrator cannot be removed',
      hint = 'Invite another administrator first.';
  end if;
end
$$;
revoke execute on function private.require_other_platform_admin(uuid) from public;

-- Rejects a change of the last active administrator's role, for every client.
create function private.keep_last_platform_admin() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.require_other_platform_admin(old.user_id);
  return coalesce(new, old);
end
$$;
create trigger keep_last_platform_admin before update or delete on public.user_roles
  for each row when (old.role = 'platform_admin') execute function private.keep_last_platform_admin();

-- The same rule for changes of the user: a deletion, a ban, another database role.
create function private.keep_platform_admin_access() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if new.deleted_at is not null then
    -- A deleted user has no roles. keep_last_platform_admin rejects the deletion of the last administrator.
    delete from public.user_roles r where r.user_id = new.id;
    return new;
  end if;
  if not exists (select from public.user_roles r where r.user_id = new.id and r.role = 'platform_admin') then
    return new;
  end if;
  -- Policies grant administrators their rights through this database role only.
  if new.role <> old.role and new.role <> 'authenticated' then
    raise exception using
      errcode = '23514',
      message = 'A platform administrator must have the role authenticated';
  end if;
  if new.banned_until > now() then
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

-- Returns true if the user of the request is an administrator. Reads the table on every call, not the token, so
-- removing a role takes effect with the next request. PL/pgSQL, because a connection caches its plans; an SQL function
-- is planned again in every statement.
create function private.is_platform_admin() returns boolean
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  return exists (
    select from public.user_roles r where r.user_id = auth.uid() and r.role = 'platform_admin'
  );
end
$$;
grant execute on function private.is_platform_admin() to authenticated, service_role;

-- Returns the database role of a request. The settings statement calls it in the transaction of the request.
create function private.request_role(token_role text, subject uuid) returns text
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if token_role = 'authenticated' and exists (
    select from public.user_roles r where r.user_id = subject and r.role = 'platform_admin'
  ) then
    return 'platform_administrator';
  end if;
  return token_role;
end
$$;

alter table public.user_roles enable row level security;
alter table public.user_roles force row level security;

revoke all on public.user_roles from public, anon, authenticated, service_role;
grant select on public.user_roles to authenticated;
grant select, insert, update, delete on public.user_roles to service_role;

create policy own_roles on public.user_roles for select to authenticated
  using (user_id = (select auth.uid()));
create policy service on public.user_roles to service_role, current_user using (true) with check (true);
