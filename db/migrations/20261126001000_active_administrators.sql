-- The name by which the product shows a user.
create function private.display_name(full_name text, email text) returns text
  language sql immutable parallel safe
  return coalesce(nullif(btrim(full_name), ''), email);
revoke execute on function private.display_name(text, text) from public;

-- The only definition of an administrator who can act now. Requests of a user check their own role with
-- private.administrator_denial, which returns the reason.
create view private.active_administrators as
  select u.id, u.email, p.full_name, r.ends_at
    from public.user_roles r
    join auth.users u on u.id = r.user_id
    left join public.profiles p on p.id = r.user_id
    where r.role = 'platform_admin' and (r.ends_at is null or r.ends_at > now())
      and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now());

create or replace function private.require_other_platform_admin(changed_user uuid) returns void
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
