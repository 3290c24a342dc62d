-- A hosted Supabase project has the factors of users, but not the column `auth.users.has_verified_factor` of our Auth API.
create function private.has_verified_factor(subject uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  return exists (select from auth.mfa_factors f where f.user_id = subject and f.status = 'verified');
revoke execute on function private.has_verified_factor(uuid) from public;

-- As before, but for the factors.
create or replace function private.guard_second_factor_demand() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if auth.uid() is not null and not (auth.jwt() ->> 'aal' = 'aal2' and private.has_verified_factor(auth.uid())) then
    raise exception using errcode = '42501', message = 'Set up a second factor of your own before you demand it';
  end if;
  return new;
end
$$;

create or replace function private.administrator_denial(subject uuid, level text) returns text
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  denial text;
begin
  select case
      when r.ends_at <= now() then 'role_ended'
      when exists (select from private.second_factor_demand d where d.due_at <= now())
        and (level is distinct from 'aal2' or not private.has_verified_factor(subject)) then 'second_factor_required'
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

-- As before. Supabase Auth also writes entries without an actor, or with an empty one.
create or replace function private.record_auth_action() returns trigger
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
