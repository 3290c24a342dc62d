-- Who is a platform administrator. Only the service writes here: a role comes with an accepted
-- invitation and goes by the command line or the Admins screen's function.
create type public.app_role as enum ('platform_admin');

create table public.user_roles (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  role public.app_role not null,
  created_at timestamptz not null default now(),
  -- "single or none" for the role check
  unique (user_id, role)
);

create trigger record_change after insert or update or delete on public.user_roles
  for each row execute function private.record_change();

-- Read at each request, never from the token: a removed role is gone with the next call.
create function private.is_platform_admin() returns boolean
  language sql stable security definer
  set search_path = ''
  begin atomic
    select exists (
      select from public.user_roles r where r.user_id = auth.uid() and r.role = 'platform_admin'
    );
  end;
grant execute on function private.is_platform_admin() to authenticated, service_role;

-- The platform never loses its last administrator, whatever interface asks for it.
create function private.keep_last_platform_admin() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- Two removals at once must not each see the other's administrator.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('private.keep_last_platform_admin'));
  if not exists (
    select from public.user_roles r
      join auth.users u on u.id = r.user_id
      where r.role = 'platform_admin' and r.id <> old.id
        and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
  ) then
    raise exception using
      errcode = '23514',
      message = 'The last platform administrator cannot be removed',
      hint = 'Invite another administrator first.';
  end if;
  return coalesce(new, old);
end
$$;
create trigger keep_last_platform_admin before update or delete on public.user_roles
  for each row when (old.role = 'platform_admin') execute function private.keep_last_platform_admin();

alter table public.user_roles enable row level security;
alter table public.user_roles force row level security;
revoke all on public.user_roles from public, anon, authenticated, service_role;
grant select on public.user_roles to authenticated;
grant select, insert, update, delete on public.user_roles to service_role;

create policy own_roles on public.user_roles for select to authenticated
  using (user_id = (select auth.uid()));
create policy service on public.user_roles to service_role, current_user using (true) with check (true);
