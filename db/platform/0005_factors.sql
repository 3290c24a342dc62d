-- Second factors, their challenges, and recovery codes. The service encrypts the secrets that it must read again
-- (TOTP). All other secrets are stored as hashes.
create table auth.mfa_factors (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  friendly_name text not null default '',
  factor_type auth.factor_type not null,
  status auth.factor_status not null default 'unverified',
  secret bytea,
  phone text,
  last_challenged_at timestamptz,
  -- Time step of the last accepted TOTP code: a code is accepted only once.
  last_used_step bigint,
  web_authn_credential jsonb,
  web_authn_aaguid uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint mfa_factors_pkey primary key (id),
  constraint mfa_factors_user_id_fkey foreign key (user_id) references auth.users on delete cascade,
  constraint mfa_factors_friendly_name_check check (char_length(friendly_name) <= 200)
);

create index mfa_factors_user_id_idx on auth.mfa_factors (user_id, created_at);
create unique index mfa_factors_friendly_name_key on auth.mfa_factors (user_id, friendly_name)
  where friendly_name <> '';

-- Updates auth.users.has_verified_factor, which the session check reads.
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

-- Sets the sessions that a factor elevated back to AAL1 when the factor is deleted, except those that a passkey gave AAL2.
create function auth.lower_sessions_of_factor() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  delete from auth.mfa_amr_claims a
    using auth.sessions s
    where s.factor_id = old.id and a.session_id = s.id
      and a.authentication_method in ('totp', 'mfa/phone', 'mfa/webauthn', 'mfa/recovery_code');
  update auth.sessions s set aal = case when s.passkey_aal2 then 'aal2' else 'aal1' end::auth.aal_level, factor_id = null
    where s.factor_id = old.id;
  return old;
end
$$;
create trigger lower_sessions_of_factor before delete on auth.mfa_factors
  for each row execute function auth.lower_sessions_of_factor();

alter table auth.mfa_factors enable row level security;
alter table auth.mfa_factors force row level security;

create policy service on auth.mfa_factors to current_user using (true) with check (true);

-- Challenges of second factors.
create table auth.mfa_challenges (
  id uuid not null default gen_random_uuid(),
  factor_id uuid not null,
  ip_address text not null default '',
  code_hash bytea,
  tries smallint not null default 0,
  web_authn_session_data jsonb,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  constraint mfa_challenges_pkey primary key (id),
  constraint mfa_challenges_factor_id_fkey foreign key (factor_id) references auth.mfa_factors on delete cascade
);

create index mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id, created_at desc);

alter table auth.mfa_challenges enable row level security;
alter table auth.mfa_challenges force row level security;

create policy service on auth.mfa_challenges to current_user using (true) with check (true);

-- The set of recovery codes of a user, with its failed attempts.
create table auth.recovery_code_sets (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  friendly_name text not null default '',
  failed_tries smallint not null default 0,
  locked_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint recovery_code_sets_pkey primary key (id),
  constraint recovery_code_sets_user_id_key unique (user_id),
  constraint recovery_code_sets_user_id_fkey foreign key (user_id) references auth.users on delete cascade
);

alter table auth.recovery_code_sets enable row level security;
alter table auth.recovery_code_sets force row level security;

create policy service on auth.recovery_code_sets to current_user using (true) with check (true);

-- Recovery codes. Each code works once.
create table auth.recovery_codes (
  set_id uuid not null,
  code_hash bytea not null,
  used_at timestamptz,
  constraint recovery_codes_pkey primary key (set_id, code_hash),
  constraint recovery_codes_set_id_fkey foreign key (set_id) references auth.recovery_code_sets on delete cascade
);

alter table auth.recovery_codes enable row level security;
alter table auth.recovery_codes force row level security;

create policy service on auth.recovery_codes to current_user using (true) with check (true);
