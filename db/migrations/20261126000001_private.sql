-- The schema of the internal tables and functions of the product. The Data API does not expose it. Requests need usage,
-- because policies run their functions with the role of the request.
create schema private;
revoke all on schema private from public;
grant usage on schema private to authenticated, service_role;

-- Least privilege: a new function in an exposed schema is not callable until it is granted.
alter default privileges in schema public revoke execute on functions from public;

-- Sets updated_at of a changed row.
create function private.touch_updated_at() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
