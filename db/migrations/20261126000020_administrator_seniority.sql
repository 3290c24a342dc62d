-- An administrator whose role is younger than 24 hours cannot act on the rights, the factors or the sessions of
-- administrators who were there before. Otherwise a stolen session could invite an accomplice who removes all others.

-- The earliest role of users who lost it. A restored administrator was there before; the restored role itself is new.
create table private.former_administrators (
  user_id uuid not null,
  since timestamptz not null,
  constraint former_administrators_pkey primary key (user_id),
  constraint former_administrators_user_id_fkey foreign key (user_id) references auth.users on delete cascade
);

alter table private.former_administrators enable row level security;
alter table private.former_administrators force row level security;

revoke all on private.former_administrators from public, anon, authenticated, service_role;

create policy service on private.former_administrators to current_user using (true) with check (true);

-- Removed administrators who can be restored.
insert into private.former_administrators (user_id, since)
  select i.user_id, min(i.accepted_at) from private.invitations i
    where i.status = 'removed' and i.user_id is not null and i.accepted_at is not null
    group by i.user_id;

-- Raises an exception if the user of the request is a new administrator and `target` was one before. A null target
-- stands for all administrators. `with_ended`: also if the role of the target has ended or was removed. The command
-- line and the secret key have no user.
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
      message = 'Your role as an administrator is less than 24 hours old',
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
  -- The user is gone if the deletion of the user removed the role.
  insert into private.former_administrators as f (user_id, since)
    select u.id, old.created_at from auth.users u where u.id = old.user_id
    on conflict (user_id) do update set since = least(f.since, excluded.since);
  return null;
end
$$;
create trigger keep_seniority after delete on public.user_roles
  for each row when (old.role = 'platform_admin') execute function private.keep_seniority();

-- The user, the factors and the sessions of an administrator. Users change their own without a check. The second argument
-- is `with_ended`: an invitation would unblock a removed administrator and remove the factors, but ends no session.
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

-- The demand takes the rights of administrators without a second factor.
create function private.guard_demand_seniority() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  perform private.require_seniority(null, false);
  return coalesce(new, old);
end
$$;
create trigger guard_seniority before insert or update or delete on private.second_factor_demand
  for each row execute function private.guard_demand_seniority();
