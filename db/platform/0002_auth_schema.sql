-- The schema of the Auth API, its enumerated types, and the functions that return the claims of a request.
-- No request role has a grant on a table of this schema. Row level security is forced on every table,
-- so a grant without it gives no access.
create schema auth;
revoke all on schema auth from public;
grant usage on schema auth to anon, authenticated, service_role;

create type auth.aal_level as enum ('aal1', 'aal2');
create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
create type auth.factor_status as enum ('unverified', 'verified');
create type auth.one_time_token_type as enum (
  'confirmation', 'invitation', 'recovery', 'magic_link', 'reauthentication',
  'email_change_current', 'email_change_new', 'phone', 'phone_change'
);

-- Claims of the verified token. These functions set no search path, so that Postgres can inline them. Their bodies
-- are parsed when they are created, so the search path of a client cannot change their meaning.
create function auth.jwt() returns jsonb
  language sql stable
  return coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb;

create function auth.uid() returns uuid
  language sql stable
  return (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid;

create function auth.role() returns text
  language sql stable
  return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role';

create function auth.email() returns text
  language sql stable
  return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email';

grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email() to anon, authenticated, service_role;
