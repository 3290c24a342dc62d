-- Roles of users: who is an administrator, who granted the role, and when it ends. Only the service writes here: an accepted
-- invitation adds the role; the Admins screen and the command line remove it.
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
  -- The role is valid until then, or without limit if it is null.
  ends_at timestamptz,
  -- The administrator who granted the role; null for the command line.
  granted_by uuid,
  constraint user_roles_pkey primary key (id),
  -- The role check of the console expects one row or none.
  constraint user_roles_user_id_role_key unique (user_id, role),
  constraint user_roles_user_id_fkey foreign key (user_id) references auth.users on delete cascade,
  constraint user_roles_granted_by_fkey foreign key (granted_by) references auth.users on delete set null
);

create index user_roles_granted_by_idx on public.user_roles (granted_by);
create index user_roles_ends_at_idx on public.user_roles (ends_at) where ends_at is not null;

create trigger record_change after insert or update or delete on public.user_roles
  for each row execute function private.record_change();

-- The only definition of an administrator who can act now. Requests of a user check their own role with
-- private.administrator_denial, which returns the reason.
create view private.active_administrators as
  select u.id, u.email, p.full_name, r.ends_at
    from public.user_roles r
    join auth.users u on u.id = r.user_id
    left join public.profiles p on p.id = r.user_id
    where r.role = 'platform_admin' and (r.ends_at is null or r.ends_at > now())
      and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now());

-- Raises an exception if no active administrator without an end date remains besides the given user: one must exist at all
-- times. The triggers that call it run with the rights of their owner.
create function private.require_other_platform_admin(changed_user uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  -- Serializes concurrent removals. Otherwise each would count the administrator that the other removes.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('private.require_other_platform_admin'));
  if not exists (
    select from private.active_administrators a where a.id <> changed_user and a.ends_at is null
  ) then
    raise exception using
      errcode = '23514',
      message = 'The last platform administrator cannot be removed',
      hint = 'Invite another administrator first.';
  end if;
end
$$;
revoke execute on function private.require_other_platform_admin(uuid) from public;

-- Rejects a change of the last active administrator's role, for every client. Roles with an end date do not count, so
-- changing them cannot break the rule.
create function private.keep_last_platform_admin() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if old.ends_at is null and (
    tg_op = 'DELETE' or new.ends_at is not null or new.user_id <> old.user_id or new.role <> old.role
  ) then
    perform private.require_other_platform_admin(old.user_id);
  end if;
  return coalesce(new, old);
end
$$;
create trigger keep_last_platform_admin before update or delete on public.user_roles
  for each row when (old.role = 'platform_admin') execute function private.keep_last_platform_admin();

-- Records who granted a role. An administrator whose own role ends cannot grant a longer one, and no administrator can change
-- the end date of their own role.
create function private.guard_role_end() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  actor_end timestamptz;
begin
  select r.ends_at into actor_end from public.user_roles r
    where r.user_id = auth.uid() and r.role = 'platform_admin' and r.user_id <> new.user_id;
  if tg_op = 'INSERT' then
    new.granted_by := coalesce(new.granted_by, nullif(auth.uid(), new.user_id));
    new.ends_at := least(new.ends_at, actor_end);
    return new;
  end if;
  if new.ends_at is not distinct from old.ends_at then
    return new;
  end if;
  if new.user_id = auth.uid() then
    raise exception using
      errcode = '42501',
      constraint = 'user_roles_role_end',
      message = 'Only another administrator can change the end date of your role';
  end if;
  if actor_end is not null and coalesce(new.ends_at, 'infinity') > actor_end then
    raise exception using
      errcode = '42501',
      constraint = 'user_roles_role_end',
      message = 'You cannot grant a role that outlasts your own';
  end if;
  return new;
end
$$;
create trigger guard_end before insert or update on public.user_roles
  for each row execute function private.guard_role_end();

-- Raises an exception if the user of the request is a new administrator and `target` is an earlier one. An administrator whose
-- role is younger than 24 hours cannot act on the rights, the factors or the sessions of earlier administrators. Otherwise a
-- stolen session could invite an accomplice who removes all others. A null target stands for all administrators.
-- `with_ended`: also if the role of the target has ended or was removed. The command line and the secret key have no user.
create function private.require_seniority(target uuid, with_ended boolean) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  actor uuid := auth.uid();
  granted_at timestamptz;
begin
  if actor is null or actor = target then
    return;
  end if;
  select r.created_at into granted_at from public.user_roles r
    where r.user_id = actor and r.role = 'platform_admin' and r.created_at > now() - interval '24 hours';
  if not found then
    return;
  end if;
  if exists (
    select from public.user_roles r
      left join private.former_administrators f on f.user_id = r.user_id
      where r.user_id = coalesce(target, r.user_id) and r.user_id <> actor and r.role = 'platform_admin'
        and (with_ended or r.ends_at is null or r.ends_at > now())
        and least(r.created_at, f.since) < granted_at
  ) or with_ended and exists (
    select from private.former_administrators f where f.user_id = target and f.since < granted_at
  ) then
    raise exception using
      errcode = '42501',
      constraint = 'administrator_seniority',
      message = 'You have been an administrator for less than 24 hours',
      -- The time from which the action is possible.
      detail = to_char((granted_at + interval '24 hours') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      -- Seconds until then.
      hint = ceil(extract(epoch from granted_at + interval '24 hours' - now()));
  end if;
end
$$;
revoke execute on function private.require_seniority(uuid, boolean) from public;

create function private.guard_role_seniority() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if tg_op <> 'INSERT' then
    perform private.require_seniority(old.user_id, true);
  end if;
  if tg_op <> 'DELETE' then
    perform private.require_seniority(new.user_id, true);
  end if;
  return coalesce(new, old);
end
$$;
create trigger guard_seniority before insert or update or delete on public.user_roles
  for each row execute function private.guard_role_seniority();

create function private.keep_seniority() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- The user no longer exists if the deletion of the user removed the role.
  insert into private.former_administrators as f (user_id, since)
    select u.id, old.created_at from auth.users u where u.id = old.user_id
    on conflict (user_id) do update set since = least(f.since, excluded.since);
  return null;
end
$$;
create trigger keep_seniority after delete on public.user_roles
  for each row when (old.role = 'platform_admin') execute function private.keep_seniority();

-- A role that is extended after its end is active again, and so is its invitation.
create function private.reactivate_invitation() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  update private.invitations i set status = 'accepted' where i.user_id = new.user_id and i.status = 'ended';
  return null;
end
$$;
create trigger reactivate_invitation after update on public.user_roles
  for each row when (new.ends_at is null or new.ends_at > now())
  execute function private.reactivate_invitation();

-- Revokes the sessions that were created before the role of their user ended, and marks the invitation as ended. The service
-- calls it several times a minute. Returns the revoked sessions.
create function private.end_roles() returns table (id uuid, user_id uuid, created_at timestamptz)
  language plpgsql security definer
  set search_path = ''
as $$
begin
  return query delete from auth.sessions s
    using public.user_roles r
    where r.user_id = s.user_id and r.role = 'platform_admin' and r.ends_at <= now() and s.created_at < r.ends_at
    returning s.id, s.user_id, s.created_at;
  update private.invitations i set status = 'ended'
    from public.user_roles r
    where r.user_id = i.user_id and r.role = 'platform_admin' and r.ends_at <= now() and i.status = 'accepted';
end
$$;
revoke execute on function private.end_roles() from public;

alter table public.user_roles enable row level security;
alter table public.user_roles force row level security;

revoke all on public.user_roles from public, anon, authenticated, service_role;
grant select on public.user_roles to authenticated;
grant select, insert, update, delete on public.user_roles to service_role;

-- A role that has ended is not visible. If a second factor is missing, the role stays visible, so that the console can lead
-- its owner to the enrollment.
create policy own_roles on public.user_roles for select to authenticated
  using (user_id = (select auth.uid()) and (ends_at is null or ends_at > now()));
create policy service on public.user_roles to service_role, current_user using (true) with check (true);
