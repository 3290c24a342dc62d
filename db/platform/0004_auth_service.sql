-- What the auth service keeps for itself: its keys, its counters, sign-ins in progress, and the one
-- shape in which it reads people.

-- Keys of the service, sealed with SECRETS_KEY. The embedded engine keeps them in files instead.
create table auth.service_secrets (
  name text primary key,
  sealed bytea not null,
  updated_at timestamptz not null default now()
);

-- Counters of the rate limits, shared by all copies of the service. Losing them in a crash is harmless.
create unlogged table auth.rate_limits (
  bucket text primary key,
  hits integer not null,
  ends_at timestamptz not null
);
create index rate_limits_ends_at_idx on auth.rate_limits (ends_at);

-- A sign-in that has left for a provider or a mailbox; the id is the OAuth state.
create table auth.flow_state (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users on delete cascade,
  -- SHA-256 of the code that the client exchanges; null until the flow is bound to a user.
  auth_code_hash bytea unique,
  auth_code_issued_at timestamptz,
  code_challenge text,
  code_challenge_method text check (code_challenge_method in ('s256', 'plain')),
  failed_tries smallint not null default 0,
  authentication_method text not null,
  provider text,
  redirect_to text,
  -- Our own PKCE verifier and nonce towards the provider, and the provider's tokens: all sealed.
  sealed bytea,
  linking_target_id uuid references auth.users on delete cascade,
  invite_token_hash bytea,
  -- After the exchange: the session that came of it, so that a second use ends it.
  session_id uuid,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index flow_state_expires_at_idx on auth.flow_state (expires_at);

-- A person with identities and factors in one row, so that every endpoint reads one query.
create view auth.user_records as
  select
    u.*,
    coalesce(
      (select jsonb_agg(to_jsonb(i) order by i.created_at, i.id) from auth.identities i where i.user_id = u.id),
      '[]'
    ) as identities,
    coalesce(
      (
        select jsonb_agg(to_jsonb(f) - 'secret' - 'last_used_step' - 'web_authn_credential' order by f.created_at, f.id)
        from auth.mfa_factors f where f.user_id = u.id
      ),
      '[]'
    ) as factors
  from auth.users u;

do $$
declare
  target regclass;
begin
  foreach target in array array['auth.service_secrets', 'auth.rate_limits', 'auth.flow_state']::regclass[] loop
    execute format('alter table %s enable row level security', target);
    execute format('alter table %s force row level security', target);
    execute format('create policy service on %s to current_user using (true) with check (true)', target);
  end loop;
end
$$;
