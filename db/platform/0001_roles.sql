-- Database roles of requests, and the rights on the schema public. A hosted Supabase project already has them.
-- Requests run as anon, authenticated or service_role. A superuser session first becomes authenticator.
-- Roles belong to the whole server, so a role can already exist.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['anon', 'authenticated', 'service_role', 'authenticator'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin noinherit', role_name);
      exception when duplicate_object or unique_violation then
        null; -- Created concurrently for another database of this server.
      end;
    end if;
  end loop;
end
$$;

-- The login switches to these roles for requests. authenticator has no other rights.
grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to current_user;

-- Least privilege: a request reaches only what is granted by name.
revoke all on schema public from public;
grant usage on schema public to anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;
