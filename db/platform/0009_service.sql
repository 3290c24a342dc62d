-- Data of the Auth API itself: keys, rate limits, audit log, and the view from which it reads users.

-- Keys of the service, encrypted with SECRETS_KEY. With the embedded database they are files instead.
create table auth.service_secrets (
  name text not null,
  sealed bytea not null,
  updated_at timestamptz not null default now(),
  constraint service_secrets_pkey primary key (name)
);

alter table auth.service_secrets enable row level security;
alter table auth.service_secrets force row level security;

create policy service on auth.service_secrets to current_user using (true) with check (true);

-- Counters of the rate limits, shared by all replicas. Not an unlogged table: it would be empty after a crash and on a promoted
-- standby, which would give an attacker new attempts.
create table auth.rate_limits (
  bucket text not null,
  hits integer not null,
  -- Length of the current window. After an exceeded window it grows.
  seconds integer not null default 0,
  ends_at timestamptz not null,
  constraint rate_limits_pkey primary key (bucket)
);

create index rate_limits_ends_at_idx on auth.rate_limits (ends_at);

alter table auth.rate_limits enable row level security;
alter table auth.rate_limits force row level security;

create policy service on auth.rate_limits to current_user using (true) with check (true);

-- The audit log of the Auth API.
create table auth.audit_log_entries (
  id uuid not null default gen_random_uuid(),
  payload jsonb not null,
  ip_address text not null default '',
  created_at timestamptz not null default now(),
  constraint audit_log_entries_pkey primary key (id)
);

create index audit_log_entries_created_at_idx on auth.audit_log_entries (created_at desc);

alter table auth.audit_log_entries enable row level security;
alter table auth.audit_log_entries force row level security;

create policy service on auth.audit_log_entries to current_user using (true) with check (true);

-- A user with identities and factors in one row. Every endpoint reads users from here.
create view auth.user_records as
  select
    u.id,
    u.aud,
    u.role,
    u.email,
    u.encrypted_password,
    u.email_confirmed_at,
    u.invited_at,
    u.confirmation_sent_at,
    u.recovery_sent_at,
    u.reauthentication_sent_at,
    u.email_change,
    u.email_change_sent_at,
    u.email_change_confirm_status,
    u.phone,
    u.phone_confirmed_at,
    u.phone_change,
    u.phone_change_sent_at,
    u.confirmed_at,
    u.last_sign_in_at,
    u.raw_app_meta_data,
    u.raw_user_meta_data,
    u.is_anonymous,
    u.has_verified_factor,
    u.banned_until,
    u.deleted_at,
    u.created_at,
    u.updated_at,
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
