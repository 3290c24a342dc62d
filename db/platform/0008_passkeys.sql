-- Passkeys and the challenges of their ceremonies.
create table auth.webauthn_credentials (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  sign_count bigint not null default 0,
  transports jsonb not null default '[]',
  friendly_name text,
  -- The authenticator has verified the user (PIN or biometrics) at the registration or at a sign-in.
  user_verified boolean not null default false,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  constraint webauthn_credentials_pkey primary key (id),
  constraint webauthn_credentials_credential_id_key unique (credential_id),
  constraint webauthn_credentials_user_id_fkey foreign key (user_id) references auth.users on delete cascade,
  constraint webauthn_credentials_friendly_name_check check (char_length(friendly_name) between 1 and 120)
);

alter table auth.sessions add constraint sessions_passkey_id_fkey
  foreign key (passkey_id) references auth.webauthn_credentials on delete cascade;

create index webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id, created_at);

alter table auth.webauthn_credentials enable row level security;
alter table auth.webauthn_credentials force row level security;

create policy service on auth.webauthn_credentials to current_user using (true) with check (true);

-- Challenges. A user has at most one: a new registration replaces it.
create table auth.webauthn_challenges (
  id uuid not null default gen_random_uuid(),
  -- Null for a sign-in: the credential identifies the user.
  user_id uuid,
  challenge text not null,
  expires_at timestamptz not null,
  constraint webauthn_challenges_pkey primary key (id),
  constraint webauthn_challenges_user_id_fkey foreign key (user_id) references auth.users on delete cascade
);

create unique index webauthn_challenges_user_id_key on auth.webauthn_challenges (user_id);
create index webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);

alter table auth.webauthn_challenges enable row level security;
alter table auth.webauthn_challenges force row level security;

create policy service on auth.webauthn_challenges to current_user using (true) with check (true);
