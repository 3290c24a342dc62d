-- Access of administrators: a role that ends by itself, and the demand for a second factor.

-- The role is valid until `ends_at`, or without limit if it is null. `granted_by` is the administrator who gave it; null
-- for the command line.
alter table public.user_roles
  add column ends_at timestamptz,
  add column granted_by uuid,
  add constraint user_roles_granted_by_fkey foreign key (granted_by) references auth.users on delete set null;

create index user_roles_granted_by_idx on public.user_roles (granted_by);
create index user_roles_ends_at_idx on public.user_roles (ends_at) where ends_at is not null;

-- The end of the role of the inviter at the time of the invitation, in case the inviter has no role when it is accepted.
-- After a removal, the end of the removed role, which a restore gives back.
alter table private.invitations add column role_ends_at timestamptz;

-- The demand for a second factor of all administrators: one row, or none without a demand.
create table private.second_factor_demand (
  id boolean not null default true,
  -- End of the grace period. From then on, administrators have no rights without a second factor.
  due_at timestamptz not null,
  created_at timestamptz not null default now(),
  set_by uuid,
  constraint second_factor_demand_pkey primary key (id),
  constraint second_factor_demand_id_check check (id),
  constraint second_factor_demand_set_by_fkey foreign key (set_by) references auth.users on delete set null
);

create trigger record_change after insert or update or delete on private.second_factor_demand
  for each row execute function private.record_change();

-- Only an administrator who meets the demand can create or change it; the command line, which has no user, always can.
create function private.guard_second_factor_demand() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if auth.uid() is not null and not (
    auth.jwt() ->> 'aal' = 'aal2'
    and exists (select from auth.users u where u.id = auth.uid() and u.has_verified_factor)
  ) then
    raise exception using errcode = '42501', message = 'Set up a second factor of your own before you demand it';
  end if;
  return new;
end
$$;
create trigger guard_demand before insert or update on private.second_factor_demand
  for each row execute function private.guard_second_factor_demand();

alter table private.second_factor_demand enable row level security;
alter table private.second_factor_demand force row level security;

revoke all on private.second_factor_demand from public, anon, authenticated, service_role;

create policy service on private.second_factor_demand to current_user using (true) with check (true);

-- Returns why a user has no rights of an administrator: an error code of the Functions API, or null if the user has them.
-- One statement; the demand is read only for users with the role.
create function private.administrator_denial(subject uuid, level text) returns text
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  denial text;
begin
  select case
      when r.ends_at <= now() then 'role_ended'
      when exists (select from private.second_factor_demand d where d.due_at <= now())
        and (
          level is distinct from 'aal2'
          or not exists (select from auth.users u where u.id = subject and u.has_verified_factor)
        ) then 'second_factor_required'
      else ''
    end
    into denial
    from public.user_roles r
    where r.user_id = subject and r.role = 'platform_admin';
  if not found then
    return 'not_platform_admin';
  end if;
  return nullif(denial, '');
end
$$;
revoke execute on function private.administrator_denial(uuid, text) from public;

create or replace function private.is_platform_admin() returns boolean
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  return private.administrator_denial(auth.uid(), auth.jwt() ->> 'aal') is null;
end
$$;

-- The settings statement has set the claims before it calls this function.
create or replace function private.request_role(token_role text, subject uuid) returns text
  language plpgsql stable security definer
  set search_path = ''
as $$
begin
  if token_role = 'authenticated' and private.administrator_denial(subject, auth.jwt() ->> 'aal') is null then
    return 'platform_administrator';
  end if;
  return token_role;
end
$$;

-- A role that has ended is no role. With a missing second factor the role stays visible, so that the console can lead
-- its owner to the enrollment.
alter policy own_roles on public.user_roles
  using (user_id = (select auth.uid()) and (ends_at is null or ends_at > now()));

-- At least one active administrator without an end date exists at all times. The triggers below call it.
create or replace function private.require_other_platform_admin(changed_user uuid) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  -- Serializes concurrent removals. Otherwise each would count the administrator that the other removes.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('private.require_other_platform_admin'));
  if not exists (
    select from public.user_roles r
      join auth.users u on u.id = r.user_id
      where r.role = 'platform_admin' and r.user_id <> changed_user and r.ends_at is null
        and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
  ) then
    raise exception using
      errcode = '23514',
      message = 'The last platform administrator cannot be removed',
      hint = 'Invite another administrator first.';
  end if;
end
$$;

-- Roles with an end date do not count, so changing them cannot break the rule.
create or replace function private.keep_last_platform_admin() returns trigger
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

create or replace function private.keep_platform_admin_access() returns trigger
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
      message = 'A platform administrator must have the role authenticated';
  end if;
  if new.banned_until > now() and role_end is null then
    perform private.require_other_platform_admin(new.id);
  end if;
  return new;
end
$$;

-- Records from whom a role is. An administrator whose own role ends cannot give a longer one, and no administrator
-- changes the end of their own role.
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
    raise exception using errcode = '42501', message = 'Only another administrator can change the end of your role';
  end if;
  if actor_end is not null and coalesce(new.ends_at, 'infinity') > actor_end then
    raise exception using errcode = '42501', message = 'The role cannot last longer than the role of its giver';
  end if;
  return new;
end
$$;
create trigger guard_end before insert or update on public.user_roles
  for each row execute function private.guard_role_end();

-- An extended role is active again, and so is its invitation.
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

-- Ends the sessions that began before the end of their user's role, and marks the invitation as ended. The service calls
-- it several times a minute. Returns the ended sessions.
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

-- As before, and: a role that has ended is replaced, the role is from the inviter, and it lasts no longer than that of
-- the inviter.
create or replace function private.accept_invitation(invited_user uuid, invitation uuid default null) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  accepted uuid;
  inviter uuid;
  role_end timestamptz;
begin
  update private.invitations i
    set status = 'accepted', accepted_at = now()
    where i.user_id = invited_user and i.status = 'pending' and i.expires_at > now()
      and i.id = coalesce(invitation, i.id)
    returning i.id, i.invited_by, i.role_ends_at into accepted, inviter, role_end;
  if accepted is null then
    return false;
  end if;
  delete from private.invitation_tokens t where t.invitation_id = accepted;
  delete from public.user_roles r
    where r.user_id = invited_user and r.role = 'platform_admin' and r.ends_at <= now();
  -- The inviter may have got another end since, or lost the role.
  select case when r.user_id is null then role_end else r.ends_at end into role_end
    from (select) invitation
      left join public.user_roles r on r.user_id = inviter and r.role = 'platform_admin';
  insert into public.user_roles (user_id, role, granted_by, ends_at)
    values (invited_user, 'platform_admin', inviter, role_end)
    on conflict (user_id, role) do nothing;
  return true;
end
$$;

-- Roles from before this migration are from the inviter.
update public.user_roles r set granted_by = i.invited_by
  from private.invitations i
  where i.user_id = r.user_id and i.status = 'accepted' and i.invited_by is not null;
