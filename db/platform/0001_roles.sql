-- Roles that a hosted Supabase project already has. Requests run as one of the first three;
-- authenticator is what a superuser's session becomes before it takes one of them.
-- Roles belong to the whole server, so another database may have made them already.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['anon', 'authenticated', 'service_role', 'authenticator'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin noinherit', wanted);
      exception when duplicate_object or unique_violation then
        null; -- made by another database at the same moment
      end;
    end if;
  end loop;
end
$$;

-- The login takes these roles for requests; authenticator reaches nothing else.
grant anon, authenticated, service_role to authenticator;
grant anon, authenticated, service_role to current_user;

-- Nothing is public by default: what is not granted by name does not exist for a request.
revoke all on schema public from public;
grant usage on schema public to anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;
