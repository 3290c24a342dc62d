-- Users, sessions and secrets of the auth service. No request role reaches a table of this schema;
-- tables carry forced row level security so that a later grant alone opens nothing.
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

create table auth.users (
  id uuid primary key default gen_random_uuid(),
  aud text not null default 'authenticated',
  role text not null default 'authenticated',
  email text,
  encrypted_password text,
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  reauthentication_sent_at timestamptz,
  email_change text,
  email_change_sent_at timestamptz,
  email_change_confirm_status smallint not null default 0 check (email_change_confirm_status between 0 and 2),
  phone text,
  phone_confirmed_at timestamptz,
  phone_change text,
  phone_change_sent_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb not null default '{}',
  raw_user_meta_data jsonb not null default '{}',
  is_anonymous boolean not null default false,
  -- Kept on the row, so that the session check needs no look at the factors.
  has_verified_factor boolean not null default false,
  banned_until timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (email = lower(email)),
  check (char_length(email) <= 255),
  check (char_length(phone) <= 15)
);
create unique index users_email_key on auth.users (email);
create unique index users_phone_key on auth.users (phone);
create index users_created_at_idx on auth.users (created_at desc, id);

create table auth.identities (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  provider text not null,
  provider_id text not null,
  identity_data jsonb not null default '{}',
  email text generated always as (lower(identity_data ->> 'email')) stored,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider, provider_id)
);
create index identities_user_id_idx on auth.identities (user_id);
create index identities_email_idx on auth.identities (email);

create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  aal auth.aal_level not null default 'aal1',
  -- Where the session came from; 'invitation:<id>' for sessions that end when it is revoked.
  tag text,
  not_after timestamptz,
  refreshed_at timestamptz,
  user_agent text,
  ip inet,
  -- Key of this session's refresh tokens, wrapped by the service's own key; the counter is the live token's.
  refresh_token_key bytea not null,
  refresh_token_counter bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user_id_idx on auth.sessions (user_id, created_at desc);
create index sessions_tag_idx on auth.sessions (tag) where tag is not null;

create table auth.mfa_amr_claims (
  session_id uuid not null references auth.sessions on delete cascade,
  authentication_method text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (session_id, authentication_method)
);

-- One live secret per user and kind; only its hash is stored.
create table auth.one_time_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  token_type auth.one_time_token_type not null,
  -- SHA-256 of the 256-bit link token, and of the short code with its address.
  token_hash bytea not null,
  code_hash bytea,
  relates_to text not null,
  -- Wrong tries of the short code; the fifth makes it void.
  tries smallint not null default 0,
  flow_state_id uuid,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create unique index one_time_tokens_hash_key on auth.one_time_tokens (token_hash);
create unique index one_time_tokens_user_key on auth.one_time_tokens (user_id, token_type);

create table auth.audit_log_entries (
  id uuid primary key default gen_random_uuid(),
  payload jsonb not null,
  ip_address text not null default '',
  created_at timestamptz not null default now()
);
create index audit_log_entries_created_at_idx on auth.audit_log_entries (created_at desc);

-- What a request may know about its caller, read from the verified claims.
create function auth.jwt() returns jsonb
  language sql stable
  set search_path = ''
  return coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb;

create function auth.uid() returns uuid
  language sql stable
  set search_path = ''
  return (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid;

create function auth.role() returns text
  language sql stable
  set search_path = ''
  return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role';

create function auth.email() returns text
  language sql stable
  set search_path = ''
  return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email';

grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email() to anon, authenticated, service_role;

-- The session behind a request, looked up in the settings statement of the request's own round trip:
-- ended sessions, banned people, missing passwords and missing second factors refuse at once.
-- API keys carry no user and pass.
create function auth.require_live_session(session uuid, subject uuid, level text) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  found_user auth.users;
  found_session auth.sessions;
begin
  if subject is null then
    return;
  end if;
  select u.* into found_user from auth.users u where u.id = subject and u.deleted_at is null;
  if not found then
    raise exception using errcode = 'LR001', message = 'User from sub claim in JWT does not exist';
  end if;
  if session is not null then
    select s.* into found_session from auth.sessions s
      where s.id = session and s.user_id = subject and (s.not_after is null or s.not_after > now());
    if not found then
      raise exception using errcode = 'LR001', message = 'Session from session_id claim in JWT does not exist';
    end if;
  end if;
  if found_user.banned_until > now() then
    raise exception using errcode = 'LR002', message = 'User is banned';
  end if;
  -- A session that an invitation's link opened can do nothing but set the password, also for
  -- somebody who has one already.
  if coalesce((found_user.raw_app_meta_data ->> 'setup_required')::boolean, false)
    or found_session.tag like 'invitation:%'
  then
    raise exception using errcode = 'LR003', message = 'Set your password before you go on';
  end if;
  -- Both the token and the session must have passed the second factor.
  if found_user.has_verified_factor and (level is distinct from 'aal2' or found_session.aal is distinct from 'aal2') then
    raise exception using errcode = 'LR004', message = 'Enter the code of your second factor before you go on';
  end if;
end
$$;

do $$
declare
  target regclass;
begin
  foreach target in array array[
    'auth.users', 'auth.identities', 'auth.sessions', 'auth.mfa_amr_claims', 'auth.one_time_tokens',
    'auth.audit_log_entries'
  ]::regclass[] loop
    execute format('alter table %s enable row level security', target);
    execute format('alter table %s force row level security', target);
    execute format('create policy service on %s to current_user using (true) with check (true)', target);
  end loop;
end
$$;
