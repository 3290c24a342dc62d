-- Sessions, their authentication methods, and the session check of every request.
create table auth.sessions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  aal auth.aal_level not null default 'aal1',
  -- The factor that elevated the session.
  factor_id uuid,
  -- The passkey that signed in. Its removal revokes the session.
  passkey_id uuid,
  -- The passkey verified the user (PIN or biometrics), and so gave the session AAL2 without a factor.
  passkey_aal2 boolean not null default false,
  -- The email link of the session, until its user sets a password: 'recovery', or the ID of an invitation. A session from
  -- an invitation can only set the password, and is revoked with the invitation.
  from_link text,
  not_after timestamptz,
  refreshed_at timestamptz,
  -- Last reauthentication in this session, after the sign-in.
  reauthenticated_at timestamptz,
  user_agent text,
  ip inet,
  -- Key of the refresh tokens of this session, encrypted by the service.
  refresh_token_key bytea not null,
  -- Number of the active refresh token.
  refresh_token_counter bigint not null default 0,
  -- Lowest valid number. Tokens issued before an elevation are below it: another client may have copied them.
  refresh_token_floor bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint sessions_pkey primary key (id),
  constraint sessions_user_id_fkey foreign key (user_id) references auth.users on delete cascade,
  constraint sessions_factor_id_fkey foreign key (factor_id) references auth.mfa_factors on delete set null,
  constraint sessions_passkey_aal2_check check (passkey_id is not null or not passkey_aal2)
);

create index sessions_user_id_idx on auth.sessions (user_id, created_at desc);
create index sessions_from_link_idx on auth.sessions (from_link) where from_link is not null;
create index sessions_factor_id_idx on auth.sessions (factor_id) where factor_id is not null;
create index sessions_passkey_id_idx on auth.sessions (passkey_id) where passkey_id is not null;

-- Checks the session of a request. The settings statement calls it, in the transaction of the request, so a revoked
-- session, a ban, a missing password and a missing second factor take effect immediately.
-- API keys have no user and pass. One statement reads all columns; the order of the errors is part of the API.
create function auth.require_live_session(session uuid, subject uuid, level text) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  state record;
begin
  if subject is null then
    return;
  end if;
  select u.banned_until > now() as banned,
      coalesce((u.raw_app_meta_data ->> 'setup_required')::boolean, false) as setup_required,
      u.has_verified_factor, s.id as session, s.aal, s.from_link
    into state
    from auth.users u
    left join auth.sessions s
      on s.id = session and s.user_id = u.id and (s.not_after is null or s.not_after > now())
    where u.id = subject and u.deleted_at is null;
  if not found then
    raise exception using errcode = 'LR001', message = 'User from sub claim in JWT does not exist';
  end if;
  if session is not null and state.session is null then
    raise exception using errcode = 'LR001', message = 'Session from session_id claim in JWT does not exist';
  end if;
  if state.banned then
    raise exception using errcode = 'LR002', message = 'User is banned';
  end if;
  -- A session from a link can only set the password, also for a user who already has one, except after a recovery.
  if state.setup_required or state.from_link <> 'recovery' then
    raise exception using errcode = 'LR003', message = 'Set your password before you continue';
  end if;
  -- Both the token and the session must have AAL2.
  if state.has_verified_factor and (level is distinct from 'aal2' or state.aal is distinct from 'aal2') then
    raise exception using errcode = 'LR004', message = 'Verify your second factor before you continue';
  end if;
end
$$;

alter table auth.sessions enable row level security;
alter table auth.sessions force row level security;

create policy service on auth.sessions to current_user using (true) with check (true);

-- Authentication methods of a session: the claim amr of its access tokens.
create table auth.mfa_amr_claims (
  session_id uuid not null,
  authentication_method text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint mfa_amr_claims_pkey primary key (session_id, authentication_method),
  constraint mfa_amr_claims_session_id_fkey foreign key (session_id) references auth.sessions on delete cascade
);

alter table auth.mfa_amr_claims enable row level security;
alter table auth.mfa_amr_claims force row level security;

create policy service on auth.mfa_amr_claims to current_user using (true) with check (true);
