-- Second factors, passkeys and recovery codes. Secrets that must be read back (TOTP) are sealed by the
-- service before they come here; everything else is stored as a hash or is public by nature.
create table auth.mfa_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  friendly_name text not null default '' check (char_length(friendly_name) <= 200),
  factor_type auth.factor_type not null,
  status auth.factor_status not null default 'unverified',
  secret bytea,
  phone text,
  last_challenged_at timestamptz,
  -- Time step of the last TOTP code that was taken: no code is taken twice.
  last_used_step bigint,
  web_authn_credential jsonb,
  web_authn_aaguid uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index mfa_factors_user_id_idx on auth.mfa_factors (user_id, created_at);
create unique index mfa_factors_friendly_name_key on auth.mfa_factors (user_id, friendly_name)
  where friendly_name <> '';

create table auth.mfa_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors on delete cascade,
  ip_address text not null default '',
  code_hash bytea,
  tries smallint not null default 0,
  web_authn_session_data jsonb,
  created_at timestamptz not null default now(),
  verified_at timestamptz
);
create index mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id, created_at desc);

create table auth.recovery_code_sets (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique references auth.users on delete cascade,
  friendly_name text not null default '',
  failed_tries smallint not null default 0,
  locked_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table auth.recovery_codes (
  set_id uuid not null references auth.recovery_code_sets on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (set_id, code_hash)
);

create table auth.webauthn_credentials (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  sign_count bigint not null default 0,
  transports jsonb not null default '[]',
  friendly_name text check (char_length(friendly_name) between 1 and 120),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id, created_at);

create table auth.webauthn_challenges (
  id uuid primary key default gen_random_uuid(),
  -- Null for sign-in: the credential tells who it is.
  user_id uuid references auth.users on delete cascade,
  challenge text not null,
  expires_at timestamptz not null
);

alter table auth.sessions add column factor_id uuid references auth.mfa_factors on delete set null;
create index sessions_factor_id_idx on auth.sessions (factor_id) where factor_id is not null;

-- The flag on the user row is what the session check reads.
create function auth.note_verified_factor() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  subject uuid := coalesce(new.user_id, old.user_id);
begin
  update auth.users u
    set has_verified_factor = exists (
      select from auth.mfa_factors f where f.user_id = subject and f.status = 'verified'
    )
    where u.id = subject;
  return null;
end
$$;
create trigger note_verified_factor after insert or update or delete on auth.mfa_factors
  for each row execute function auth.note_verified_factor();

-- Sessions that proved themselves with a factor lose that proof together with the factor.
create function auth.lower_sessions_of_factor() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  delete from auth.mfa_amr_claims a
    using auth.sessions s
    where s.factor_id = old.id and a.session_id = s.id
      and a.authentication_method in ('totp', 'mfa/phone', 'mfa/webauthn', 'mfa/recovery_code');
  update auth.sessions set aal = 'aal1', factor_id = null where factor_id = old.id;
  return old;
end
$$;
create trigger lower_sessions_of_factor before delete on auth.mfa_factors
  for each row execute function auth.lower_sessions_of_factor();

do $$
declare
  target regclass;
begin
  foreach target in array array[
    'auth.mfa_factors', 'auth.mfa_challenges', 'auth.recovery_code_sets', 'auth.recovery_codes',
    'auth.webauthn_credentials', 'auth.webauthn_challenges'
  ]::regclass[] loop
    execute format('alter table %s enable row level security', target);
    execute format('alter table %s force row level security', target);
    execute format('create policy service on %s to current_user using (true) with check (true)', target);
  end loop;
end
$$;
