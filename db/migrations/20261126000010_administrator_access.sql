-- Whether the user of a request has the rights of an administrator. Policies and the settings statement of each request call
-- these functions. They read the tables on every call, not the token, so a removed role takes effect with the next request.
-- PL/pgSQL, because a connection caches its plans; an SQL function is planned again in every statement.

-- Returns why a user has no rights of an administrator: an error code of the Functions API, or null if the user has them.
-- One statement; the requirement of a second factor is read only for users with the role.
create function private.administrator_denial(subject uuid, level text) returns text
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  denial text;
begin
  select case
      when r.ends_at <= now() then 'role_ended'
      when exists (select from private.second_factor_requirement where due_at <= now())
        and not private.meets_second_factor_requirement(subject, level) then 'second_factor_required'
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

-- Returns true if the user of the request is an administrator. Parallel safe, because policies call it: a query with a function
-- that is not declared safe runs in one process, and an exact count of a common word reads every account.
create function private.is_platform_admin() returns boolean
  language plpgsql stable parallel safe security definer
  set search_path = ''
as $$
begin
  return private.administrator_denial(auth.uid(), auth.jwt() ->> 'aal') is null;
end
$$;
grant execute on function private.is_platform_admin() to authenticated, service_role;

-- Returns the database role of a request. The settings statement calls it in the transaction of the request, after it has set
-- the claims.
create function private.request_role(token_role text, subject uuid) returns text
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
