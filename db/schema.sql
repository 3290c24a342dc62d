-- The structure that the migrations make. Generated; a test compares it: npm run generate -- schema

-- Types
create type auth.aal_level as enum ('aal1', 'aal2');
create type auth.factor_status as enum ('unverified', 'verified');
create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
create type auth.one_time_token_type as enum ('confirmation', 'invitation', 'recovery', 'magic_link', 'reauthentication', 'email_change_current', 'email_change_new', 'phone', 'phone_change');
create type public.account_type as enum ('enterprise', 'organization');
create type public.app_role as enum ('platform_admin');

-- Tables
create table auth.audit_log_entries (
  id uuid not null default gen_random_uuid(),
  payload jsonb not null,
  ip_address text not null default ''::text,
  created_at timestamp with time zone not null default now()
);
create table auth.flow_state (
  id uuid not null default gen_random_uuid(),
  user_id uuid,
  auth_code_hash bytea,
  auth_code_issued_at timestamp with time zone,
  code_challenge text,
  code_challenge_method text,
  failed_tries smallint not null default 0,
  authentication_method text not null,
  provider text,
  redirect_to text,
  sealed bytea,
  linking_target_id uuid,
  invite_token_hash bytea,
  browser_token_hash bytea,
  session_id uuid,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now()
);
create table auth.identities (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  provider text not null,
  provider_id text not null,
  identity_data jsonb not null default '{}'::jsonb,
  email text generated always as (lower((identity_data ->> 'email'::text))) stored,
  last_sign_in_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);
create table auth.mfa_amr_claims (
  session_id uuid not null,
  authentication_method text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);
create table auth.mfa_challenges (
  id uuid not null default gen_random_uuid(),
  factor_id uuid not null,
  ip_address text not null default ''::text,
  code_hash bytea,
  tries smallint not null default 0,
  web_authn_session_data jsonb,
  created_at timestamp with time zone not null default now(),
  verified_at timestamp with time zone
);
create table auth.mfa_factors (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  friendly_name text not null default ''::text,
  factor_type auth.factor_type not null,
  status auth.factor_status not null default 'unverified'::auth.factor_status,
  secret bytea,
  phone text,
  last_challenged_at timestamp with time zone,
  last_used_step bigint,
  web_authn_credential jsonb,
  web_authn_aaguid uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);
create table auth.one_time_tokens (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  token_type auth.one_time_token_type not null,
  token_hash bytea not null,
  code_hash bytea,
  relates_to text not null,
  tries smallint not null default 0,
  flow_state_id uuid,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now()
);
create table auth.rate_limits (
  bucket text not null,
  hits integer not null,
  seconds integer not null default 0,
  ends_at timestamp with time zone not null
);
create table auth.recovery_code_sets (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  friendly_name text not null default ''::text,
  failed_tries smallint not null default 0,
  locked_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);
create table auth.recovery_codes (
  set_id uuid not null,
  code_hash bytea not null,
  used_at timestamp with time zone
);
create table auth.service_secrets (
  name text not null,
  sealed bytea not null,
  updated_at timestamp with time zone not null default now()
);
create table auth.sessions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  aal auth.aal_level not null default 'aal1'::auth.aal_level,
  factor_id uuid,
  passkey_id uuid,
  passkey_aal2 boolean not null default false,
  from_link text,
  not_after timestamp with time zone,
  refreshed_at timestamp with time zone,
  reauthenticated_at timestamp with time zone,
  user_agent text,
  ip inet,
  refresh_token_key bytea not null,
  refresh_token_counter bigint not null default 0,
  refresh_token_floor bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);
create table auth.users (
  id uuid not null default gen_random_uuid(),
  aud text not null default 'authenticated'::text,
  role text not null default 'authenticated'::text,
  email text,
  encrypted_password text,
  email_confirmed_at timestamp with time zone,
  invited_at timestamp with time zone,
  confirmation_sent_at timestamp with time zone,
  recovery_sent_at timestamp with time zone,
  reauthentication_sent_at timestamp with time zone,
  email_change text,
  email_change_sent_at timestamp with time zone,
  email_change_confirm_status smallint not null default 0,
  phone text,
  phone_confirmed_at timestamp with time zone,
  phone_change text,
  phone_change_sent_at timestamp with time zone,
  confirmed_at timestamp with time zone generated always as (LEAST(email_confirmed_at, phone_confirmed_at)) stored,
  last_sign_in_at timestamp with time zone,
  raw_app_meta_data jsonb not null default '{}'::jsonb,
  raw_user_meta_data jsonb not null default '{}'::jsonb,
  is_anonymous boolean not null default false,
  has_verified_factor boolean not null default false,
  device_epoch integer not null default 0,
  banned_until timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now()
);
create table auth.webauthn_challenges (
  id uuid not null default gen_random_uuid(),
  user_id uuid,
  challenge text not null,
  expires_at timestamp with time zone not null
);
create table auth.webauthn_credentials (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  sign_count bigint not null default 0,
  transports jsonb not null default '[]'::jsonb,
  friendly_name text,
  user_verified boolean not null default false,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone
);
create table platform.migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now()
);
create table private.account_imports (
  id uuid not null,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  file_name text
);
create table private.account_suspensions (
  id uuid not null,
  reason text not null,
  suspended_at timestamp with time zone not null default now(),
  suspended_by uuid
);
create table private.audit_checkpoints (
  "position" bigint not null,
  hash bytea not null,
  at timestamp with time zone not null,
  signature text not null
);
create table private.audit_log (
  id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  actor uuid,
  request_id text,
  table_name text not null,
  row_id text,
  action text not null,
  before jsonb,
  after jsonb,
  origin text default COALESCE(NULLIF(current_setting('request.origin'::text, true), ''::text), 'service'::text),
  run_id uuid default (NULLIF(current_setting('request.run_id'::text, true), ''::text))::uuid,
  undoes bigint default (NULLIF(current_setting('request.undoes'::text, true), ''::text))::bigint,
  part_of bigint default (NULLIF(current_setting('request.part_of'::text, true), ''::text))::bigint
);
create table private.audit_reports (
  day date not null,
  at timestamp with time zone not null,
  "position" bigint not null,
  problem text,
  mailed boolean not null
);
create table private.audit_seals (
  "position" bigint not null,
  entry_id bigint not null,
  hash bytea not null,
  sealed_at timestamp with time zone not null default now()
);
create table private.backup_state (
  id boolean not null default true,
  schedule text not null,
  next_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  lease_id uuid,
  tries integer not null default 0,
  finished_at timestamp with time zone,
  problem text,
  completed_at timestamp with time zone,
  file text,
  bytes bigint,
  reported_at timestamp with time zone
);
create table private.deliveries (
  id uuid not null,
  kind text not null,
  recipient text not null,
  user_id uuid,
  invitation_id uuid,
  status text not null default 'waiting'::text,
  attended boolean not null default false,
  decoy boolean not null default false,
  sealed bytea,
  message_id text,
  answer text,
  tries integer not null default 0,
  due_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  lease_until timestamp with time zone,
  attempted_at timestamp with time zone,
  finished_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  inviter_kind text,
  inviter text,
  reserve text not null default 'none'::text,
  member_invitation_id uuid,
  part_of bigint default (NULLIF(current_setting('request.part_of'::text, true), ''::text))::bigint
);
create table private.demonstration (
  id boolean not null default true,
  filled_at timestamp with time zone not null default now()
);
create table private.former_administrators (
  user_id uuid not null,
  since timestamp with time zone not null
);
create table private.handover_visits (
  user_id uuid not null,
  since timestamp with time zone,
  seen_until timestamp with time zone not null,
  visited_at timestamp with time zone not null
);
create table private.imported_accounts (
  account_id uuid not null,
  import_id uuid not null,
  updated_at timestamp with time zone not null
);
create table private.invitation_openings (
  invitation_id uuid not null,
  by_program boolean not null,
  opened_at timestamp with time zone not null
);
create table private.invitation_tokens (
  token_hash bytea not null,
  invitation_id uuid not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now()
);
create table private.invitations (
  id uuid not null default gen_random_uuid(),
  email text not null,
  full_name text not null,
  user_id uuid,
  invited_by uuid,
  status text not null default 'pending'::text,
  invited_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null default (now() + '7 days'::interval),
  accepted_at timestamp with time zone,
  last_sent_at timestamp with time zone,
  send_count integer not null default 0,
  role_ends_at timestamp with time zone,
  note text,
  term_seconds integer,
  term_until timestamp with time zone
);
create table private.member_invitation_tokens (
  token_hash bytea not null,
  invitation_id uuid not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now()
);
create table private.member_invitations (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  email text not null,
  full_name text not null,
  user_id uuid,
  invited_by uuid,
  status text not null default 'pending'::text,
  invited_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null default (now() + '7 days'::interval),
  accepted_at timestamp with time zone,
  last_sent_at timestamp with time zone,
  send_count integer not null default 0,
  note text,
  term_seconds integer,
  term_until timestamp with time zone,
  membership_ends_at timestamp with time zone
);
create table private.request_keys (
  caller text not null,
  key uuid not null,
  fingerprint bytea not null,
  status smallint,
  headers text,
  body text,
  created_at timestamp with time zone not null default now()
);
create table private.second_factor_requirement (
  id boolean not null default true,
  due_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  set_by uuid
);
create table private.service_settings (
  id boolean not null default true,
  site_url text not null,
  fingerprints jsonb not null,
  recorded_at timestamp with time zone not null default now()
);
create table public.account_contacts (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  "position" smallint not null,
  name text not null,
  role text,
  phone text,
  email text,
  note text
);
create table public.account_members (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  user_id uuid not null,
  status text not null default 'active'::text,
  created_at timestamp with time zone not null default now(),
  ends_at timestamp with time zone
);
create table public.accounts (
  id uuid not null default gen_random_uuid(),
  name text not null,
  slug text not null,
  account_type public.account_type not null,
  address text,
  city text,
  state text,
  zip_code text,
  status text not null default 'active'::text,
  active_members integer not null default 0,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  updated_by uuid,
  contact_text text
);
create table public.notification_settings (
  id uuid not null default gen_random_uuid(),
  sender_email text not null,
  sender_name text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  updated_by uuid
);
create table public.profiles (
  id uuid not null,
  full_name text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  phone text
);
create table public.user_roles (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  role public.app_role not null,
  created_at timestamp with time zone not null default now(),
  ends_at timestamp with time zone,
  granted_by uuid
);

-- Views
create view auth.user_records as (
  id uuid,
  aud text,
  role text,
  email text,
  encrypted_password text,
  email_confirmed_at timestamp with time zone,
  invited_at timestamp with time zone,
  confirmation_sent_at timestamp with time zone,
  recovery_sent_at timestamp with time zone,
  reauthentication_sent_at timestamp with time zone,
  email_change text,
  email_change_sent_at timestamp with time zone,
  email_change_confirm_status smallint,
  phone text,
  phone_confirmed_at timestamp with time zone,
  phone_change text,
  phone_change_sent_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  last_sign_in_at timestamp with time zone,
  raw_app_meta_data jsonb,
  raw_user_meta_data jsonb,
  is_anonymous boolean,
  has_verified_factor boolean,
  banned_until timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone,
  updated_at timestamp with time zone,
  identities jsonb,
  factors jsonb
); -- reads auth.identities, auth.mfa_factors, auth.users
create view private.active_administrators as (
  id uuid,
  email text,
  full_name text,
  ends_at timestamp with time zone
); -- reads auth.users, public.profiles, public.user_roles
create view private.active_memberships as (
  account_id uuid,
  user_id uuid
); -- reads public.account_members
create view public.user_invitations with (security_invoker=true) as (
  id uuid,
  full_name text,
  email text,
  invited_at timestamp with time zone,
  status text,
  expires_at timestamp with time zone,
  last_sent_at timestamp with time zone,
  send_count integer
); -- reads private.invitations

-- Constraints
alter table auth.audit_log_entries add constraint audit_log_entries_pkey PRIMARY KEY (id);
alter table auth.flow_state add constraint flow_state_auth_code_hash_key UNIQUE (auth_code_hash);
alter table auth.flow_state add constraint flow_state_browser_token_hash_key UNIQUE (browser_token_hash);
alter table auth.flow_state add constraint flow_state_code_challenge_method_check CHECK ((code_challenge_method = ANY (ARRAY['s256'::text, 'plain'::text])));
alter table auth.flow_state add constraint flow_state_linking_target_id_fkey FOREIGN KEY (linking_target_id) REFERENCES auth.users(id) ON DELETE CASCADE;
alter table auth.flow_state add constraint flow_state_pkey PRIMARY KEY (id);
alter table auth.flow_state add constraint flow_state_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
alter table auth.identities add constraint identities_pkey PRIMARY KEY (id);
alter table auth.identities add constraint identities_provider_provider_id_key UNIQUE (provider, provider_id);
alter table auth.identities add constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
alter table auth.mfa_amr_claims add constraint mfa_amr_claims_pkey PRIMARY KEY (session_id, authentication_method);
alter table auth.mfa_amr_claims add constraint mfa_amr_claims_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE;
alter table auth.mfa_challenges add constraint mfa_challenges_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES auth.mfa_factors(id) ON DELETE CASCADE;
alter table auth.mfa_challenges add constraint mfa_challenges_pkey PRIMARY KEY (id);
alter table auth.mfa_factors add constraint mfa_factors_friendly_name_check CHECK ((char_length(friendly_name) <= 200));
alter table auth.mfa_factors add constraint mfa_factors_pkey PRIMARY KEY (id);
alter table auth.mfa_factors add constraint mfa_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
alter table auth.one_time_tokens add constraint one_time_tokens_pkey PRIMARY KEY (id);
alter table auth.one_time_tokens add constraint one_time_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
alter table auth.rate_limits add constraint rate_limits_pkey PRIMARY KEY (bucket);
alter table auth.recovery_code_sets add constraint recovery_code_sets_pkey PRIMARY KEY (id);
alter table auth.recovery_code_sets add constraint recovery_code_sets_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
alter table auth.recovery_code_sets add constraint recovery_code_sets_user_id_key UNIQUE (user_id);
alter table auth.recovery_codes add constraint recovery_codes_pkey PRIMARY KEY (set_id, code_hash);
alter table auth.recovery_codes add constraint recovery_codes_set_id_fkey FOREIGN KEY (set_id) REFERENCES auth.recovery_code_sets(id) ON DELETE CASCADE;
alter table auth.service_secrets add constraint service_secrets_pkey PRIMARY KEY (name);
alter table auth.sessions add constraint sessions_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES auth.mfa_factors(id) ON DELETE SET NULL;
alter table auth.sessions add constraint sessions_passkey_aal2_check CHECK (((passkey_id IS NOT NULL) OR (NOT passkey_aal2)));
alter table auth.sessions add constraint sessions_passkey_id_fkey FOREIGN KEY (passkey_id) REFERENCES auth.webauthn_credentials(id) ON DELETE CASCADE;
alter table auth.sessions add constraint sessions_pkey PRIMARY KEY (id);
alter table auth.sessions add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
alter table auth.users add constraint users_email_change_confirm_status_check CHECK (((email_change_confirm_status >= 0) AND (email_change_confirm_status <= 2)));
alter table auth.users add constraint users_email_check CHECK ((email = lower(email)));
alter table auth.users add constraint users_email_check1 CHECK ((char_length(email) <= 255));
alter table auth.users add constraint users_phone_check CHECK ((char_length(phone) <= 15));
alter table auth.users add constraint users_pkey PRIMARY KEY (id);
alter table auth.webauthn_challenges add constraint webauthn_challenges_pkey PRIMARY KEY (id);
alter table auth.webauthn_challenges add constraint webauthn_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
alter table auth.webauthn_credentials add constraint webauthn_credentials_credential_id_key UNIQUE (credential_id);
alter table auth.webauthn_credentials add constraint webauthn_credentials_friendly_name_check CHECK (((char_length(friendly_name) >= 1) AND (char_length(friendly_name) <= 120)));
alter table auth.webauthn_credentials add constraint webauthn_credentials_pkey PRIMARY KEY (id);
alter table auth.webauthn_credentials add constraint webauthn_credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
alter table platform.migrations add constraint migrations_pkey PRIMARY KEY (name);
alter table private.account_imports add constraint account_imports_created_by_fkey FOREIGN KEY (created_by) REFERENCES auth.users(id) ON DELETE CASCADE;
alter table private.account_imports add constraint account_imports_file_name_check CHECK ((((char_length(file_name) >= 1) AND (char_length(file_name) <= 255)) AND (file_name !~ '[[:cntrl:]]'::text)));
alter table private.account_imports add constraint account_imports_pkey PRIMARY KEY (id);
alter table private.account_suspensions add constraint account_suspensions_id_fkey FOREIGN KEY (id) REFERENCES public.accounts(id) ON DELETE CASCADE;
alter table private.account_suspensions add constraint account_suspensions_pkey PRIMARY KEY (id);
alter table private.account_suspensions add constraint account_suspensions_reason_check CHECK ((((char_length(reason) >= 1) AND (char_length(reason) <= 500)) AND (reason = btrim(reason)) AND (reason !~ '[[:cntrl:]]'::text)));
alter table private.account_suspensions add constraint account_suspensions_reason_turns_no_text CHECK ((reason !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text));
alter table private.account_suspensions add constraint account_suspensions_suspended_by_fkey FOREIGN KEY (suspended_by) REFERENCES auth.users(id) ON DELETE SET NULL;
alter table private.audit_checkpoints add constraint audit_checkpoints_hash_check CHECK ((octet_length(hash) = 32));
alter table private.audit_checkpoints add constraint audit_checkpoints_pkey PRIMARY KEY ("position");
alter table private.audit_checkpoints add constraint audit_checkpoints_signature_check CHECK ((char_length(signature) = 86));
alter table private.audit_log add constraint audit_log_action_check CHECK (((action = ANY (ARRAY['INSERT'::text, 'UPDATE'::text, 'DELETE'::text])) OR (action ~ '^[a-z_]{3,50}$'::text)));
alter table private.audit_log add constraint audit_log_origin_check CHECK ((origin = ANY (ARRAY['console'::text, 'interface'::text, 'command line'::text, 'service'::text])));
alter table private.audit_log add constraint audit_log_pkey PRIMARY KEY (id);
alter table private.audit_reports add constraint audit_reports_pkey PRIMARY KEY (day);
alter table private.audit_reports add constraint audit_reports_problem_check CHECK ((char_length(problem) <= 500));
alter table private.audit_seals add constraint audit_seals_entry_id_key UNIQUE (entry_id);
alter table private.audit_seals add constraint audit_seals_hash_check CHECK ((octet_length(hash) = 32));
alter table private.audit_seals add constraint audit_seals_pkey PRIMARY KEY ("position");
alter table private.audit_seals add constraint audit_seals_position_check CHECK (("position" > 0));
alter table private.backup_state add constraint backup_state_check CHECK ((((completed_at IS NULL) = (file IS NULL)) AND ((file IS NULL) = (bytes IS NULL))));
alter table private.backup_state add constraint backup_state_file_check CHECK (((char_length(file) >= 1) AND (char_length(file) <= 255)));
alter table private.backup_state add constraint backup_state_id_check CHECK (id);
alter table private.backup_state add constraint backup_state_pkey PRIMARY KEY (id);
alter table private.backup_state add constraint backup_state_problem_check CHECK ((char_length(problem) <= 500));
alter table private.backup_state add constraint backup_state_schedule_check CHECK (((char_length(schedule) >= 1) AND (char_length(schedule) <= 200)));
alter table private.deliveries add constraint deliveries_check CHECK (((status = 'waiting'::text) OR (sealed IS NULL)));
alter table private.deliveries add constraint deliveries_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES private.invitations(id) ON DELETE SET NULL;
alter table private.deliveries add constraint deliveries_inviter_check CHECK (((char_length(inviter) >= 1) AND (char_length(inviter) <= 255)));
alter table private.deliveries add constraint deliveries_inviter_kind_check CHECK ((inviter_kind = ANY (ARRAY['administrator'::text, 'command_line'::text, 'recipient'::text])));
alter table private.deliveries add constraint deliveries_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'recovery'::text, 'confirmation'::text, 'magic_link'::text, 'email_change'::text, 'reauthentication'::text, 'password_changed'::text, 'email_changed'::text, 'phone_changed'::text, 'factor_added'::text, 'factor_removed'::text, 'factors_reset'::text, 'recovery_code_used'::text, 'passkey_added'::text, 'passkey_removed'::text, 'identity_linked'::text, 'identity_unlinked'::text, 'sign_in_failed'::text, 'administrator_invited'::text, 'audit_head'::text, 'test'::text, 'member_invitation'::text, 'backup_problem'::text, 'administrator_changed'::text])));
alter table private.deliveries add constraint deliveries_member_invitation_id_fkey FOREIGN KEY (member_invitation_id) REFERENCES private.member_invitations(id) ON DELETE SET NULL;
alter table private.deliveries add constraint deliveries_pkey PRIMARY KEY (id);
alter table private.deliveries add constraint deliveries_recipient_check CHECK (((char_length(recipient) >= 3) AND (char_length(recipient) <= 255)));
alter table private.deliveries add constraint deliveries_reserve_check CHECK ((reserve = ANY (ARRAY['invitation'::text, 'recovery'::text, 'notice'::text, 'none'::text])));
alter table private.deliveries add constraint deliveries_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'handed_over'::text, 'captured'::text, 'refused'::text, 'timed_out'::text])));
alter table private.deliveries add constraint deliveries_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL;
alter table private.demonstration add constraint demonstration_id_check CHECK (id);
alter table private.demonstration add constraint demonstration_pkey PRIMARY KEY (id);
alter table private.former_administrators add constraint former_administrators_pkey PRIMARY KEY (user_id);
alter table private.former_administrators add constraint former_administrators_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
alter table private.handover_visits add constraint handover_visits_pkey PRIMARY KEY (user_id);
alter table private.handover_visits add constraint handover_visits_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
alter table private.imported_accounts add constraint imported_accounts_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
alter table private.imported_accounts add constraint imported_accounts_import_id_fkey FOREIGN KEY (import_id) REFERENCES private.account_imports(id) ON DELETE CASCADE;
alter table private.imported_accounts add constraint imported_accounts_pkey PRIMARY KEY (account_id);
alter table private.invitation_openings add constraint invitation_openings_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES private.invitations(id) ON DELETE CASCADE;
alter table private.invitation_openings add constraint invitation_openings_pkey PRIMARY KEY (invitation_id, by_program);
alter table private.invitation_tokens add constraint invitation_tokens_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES private.invitations(id) ON DELETE CASCADE;
alter table private.invitation_tokens add constraint invitation_tokens_pkey PRIMARY KEY (token_hash);
alter table private.invitation_tokens add constraint invitation_tokens_token_hash_check CHECK ((octet_length(token_hash) = 32));
alter table private.invitations add constraint invitations_email_check CHECK (((email = lower(btrim(email))) AND (char_length(email) <= 255)));
alter table private.invitations add constraint invitations_email_key UNIQUE (email);
alter table private.invitations add constraint invitations_full_name_check CHECK ((((char_length(full_name) >= 2) AND (char_length(full_name) <= 100)) AND (full_name !~ '[[:cntrl:]]'::text)));
alter table private.invitations add constraint invitations_full_name_is_visible CHECK ((full_name ~ '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'::text));
alter table private.invitations add constraint invitations_full_name_turns_no_text CHECK ((full_name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text));
alter table private.invitations add constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES auth.users(id) ON DELETE SET NULL;
alter table private.invitations add constraint invitations_note_check CHECK ((((char_length(note) >= 1) AND (char_length(note) <= 500)) AND (replace(note, '
'::text, ''::text) !~ '[[:cntrl:]]'::text)));
alter table private.invitations add constraint invitations_note_turns_no_text CHECK ((note !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text));
alter table private.invitations add constraint invitations_pkey PRIMARY KEY (id);
alter table private.invitations add constraint invitations_send_count_check CHECK ((send_count >= 0));
alter table private.invitations add constraint invitations_status_check CHECK (((char_length(status) >= 1) AND (char_length(status) <= 50)));
alter table private.invitations add constraint invitations_term_check CHECK (((term_seconds IS NULL) OR (term_until IS NULL)));
alter table private.invitations add constraint invitations_term_seconds_check CHECK (((term_seconds >= 3600) AND (term_seconds <= 2592000)));
alter table private.invitations add constraint invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL;
alter table private.member_invitation_tokens add constraint member_invitation_tokens_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES private.member_invitations(id) ON DELETE CASCADE;
alter table private.member_invitation_tokens add constraint member_invitation_tokens_pkey PRIMARY KEY (token_hash);
alter table private.member_invitation_tokens add constraint member_invitation_tokens_token_hash_check CHECK ((octet_length(token_hash) = 32));
alter table private.member_invitations add constraint member_invitations_account_id_email_key UNIQUE (account_id, email);
alter table private.member_invitations add constraint member_invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
alter table private.member_invitations add constraint member_invitations_email_check CHECK (((email = lower(btrim(email))) AND (char_length(email) <= 255)));
alter table private.member_invitations add constraint member_invitations_full_name_check CHECK ((((char_length(full_name) >= 2) AND (char_length(full_name) <= 100)) AND (full_name !~ '[[:cntrl:]]'::text)));
alter table private.member_invitations add constraint member_invitations_full_name_is_visible CHECK ((full_name ~ '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'::text));
alter table private.member_invitations add constraint member_invitations_full_name_turns_no_text CHECK ((full_name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text));
alter table private.member_invitations add constraint member_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES auth.users(id) ON DELETE SET NULL;
alter table private.member_invitations add constraint member_invitations_membership_ends_at_check CHECK (isfinite(membership_ends_at));
alter table private.member_invitations add constraint member_invitations_note_check CHECK ((((char_length(note) >= 1) AND (char_length(note) <= 500)) AND (replace(note, '
'::text, ''::text) !~ '[[:cntrl:]]'::text)));
alter table private.member_invitations add constraint member_invitations_note_turns_no_text CHECK ((note !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text));
alter table private.member_invitations add constraint member_invitations_pkey PRIMARY KEY (id);
alter table private.member_invitations add constraint member_invitations_send_count_check CHECK ((send_count >= 0));
alter table private.member_invitations add constraint member_invitations_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'revoked'::text])));
alter table private.member_invitations add constraint member_invitations_term_check CHECK (((term_seconds IS NULL) OR (term_until IS NULL)));
alter table private.member_invitations add constraint member_invitations_term_seconds_check CHECK (((term_seconds >= 3600) AND (term_seconds <= 2592000)));
alter table private.member_invitations add constraint member_invitations_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL;
alter table private.request_keys add constraint request_keys_fingerprint_check CHECK ((octet_length(fingerprint) = 32));
alter table private.request_keys add constraint request_keys_pkey PRIMARY KEY (caller, key);
alter table private.second_factor_requirement add constraint second_factor_requirement_id_check CHECK (id);
alter table private.second_factor_requirement add constraint second_factor_requirement_pkey PRIMARY KEY (id);
alter table private.second_factor_requirement add constraint second_factor_requirement_set_by_fkey FOREIGN KEY (set_by) REFERENCES auth.users(id) ON DELETE SET NULL;
alter table private.service_settings add constraint service_settings_id_check CHECK (id);
alter table private.service_settings add constraint service_settings_pkey PRIMARY KEY (id);
alter table public.account_contacts add constraint account_contacts_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
alter table public.account_contacts add constraint account_contacts_account_id_position_key UNIQUE (account_id, "position") DEFERRABLE;
alter table public.account_contacts add constraint account_contacts_email_check CHECK (((char_length(email) <= 255) AND (email ~ '^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$'::text) AND (POSITION(('@'::text) IN (email)) <= 65)));
alter table public.account_contacts add constraint account_contacts_name_check CHECK ((((char_length(name) >= 1) AND (char_length(name) <= 100)) AND (name = btrim(name)) AND (name !~ '[[:cntrl:]]'::text)));
alter table public.account_contacts add constraint account_contacts_name_decomposed_check CHECK (((octet_length(name) <= 50) OR (char_length(NORMALIZE(name, NFKD)) <= 300)));
alter table public.account_contacts add constraint account_contacts_name_is_visible CHECK ((name ~ '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'::text));
alter table public.account_contacts add constraint account_contacts_name_turns_no_text CHECK ((name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text));
alter table public.account_contacts add constraint account_contacts_note_check CHECK ((((char_length(note) >= 1) AND (char_length(note) <= 500)) AND (note !~ '[[:cntrl:]]'::text)));
alter table public.account_contacts add constraint account_contacts_note_turns_no_text CHECK ((note !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text));
alter table public.account_contacts add constraint account_contacts_phone_check CHECK ((phone ~ '^\+[1-9][0-9]{4,14}$'::text));
alter table public.account_contacts add constraint account_contacts_pkey PRIMARY KEY (id);
alter table public.account_contacts add constraint account_contacts_position_check CHECK ((("position" >= 1) AND ("position" <= 20)));
alter table public.account_contacts add constraint account_contacts_role_check CHECK ((((char_length(role) >= 1) AND (char_length(role) <= 100)) AND (role !~ '[[:cntrl:]]'::text)));
alter table public.account_contacts add constraint account_contacts_role_turns_no_text CHECK ((role !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text));
alter table public.account_members add constraint account_members_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;
alter table public.account_members add constraint account_members_account_id_user_id_key UNIQUE (account_id, user_id);
alter table public.account_members add constraint account_members_ends_at_check CHECK (isfinite(ends_at));
alter table public.account_members add constraint account_members_pkey PRIMARY KEY (id);
alter table public.account_members add constraint account_members_status_check CHECK (((char_length(status) >= 1) AND (char_length(status) <= 50)));
alter table public.account_members add constraint account_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
alter table public.accounts add constraint accounts_active_members_check CHECK ((active_members >= 0));
alter table public.accounts add constraint accounts_address_check CHECK (((char_length(address) <= 500) AND (address !~ '[[:cntrl:]]'::text)));
alter table public.accounts add constraint accounts_address_turns_no_text CHECK ((address !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text));
alter table public.accounts add constraint accounts_city_check CHECK (((char_length(city) <= 100) AND (city !~ '[[:cntrl:]]'::text)));
alter table public.accounts add constraint accounts_city_decomposed_check CHECK (((octet_length(city) <= 50) OR (char_length(NORMALIZE(city, NFKD)) <= 300)));
alter table public.accounts add constraint accounts_city_turns_no_text CHECK ((city !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text));
alter table public.accounts add constraint accounts_contact_text_check CHECK ((char_length(contact_text) <= 22000));
alter table public.accounts add constraint accounts_created_by_fkey FOREIGN KEY (created_by) REFERENCES auth.users(id) ON DELETE SET NULL;
alter table public.accounts add constraint accounts_name_check CHECK ((((char_length(name) >= 1) AND (char_length(name) <= 200)) AND (name = btrim(name)) AND (name !~ '[[:cntrl:]]'::text)));
alter table public.accounts add constraint accounts_name_decomposed_check CHECK (((octet_length(name) <= 100) OR (char_length(NORMALIZE(name, NFKD)) <= 600)));
alter table public.accounts add constraint accounts_name_is_visible CHECK ((name ~ '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'::text));
alter table public.accounts add constraint accounts_name_turns_no_text CHECK ((name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text));
alter table public.accounts add constraint accounts_pkey PRIMARY KEY (id);
alter table public.accounts add constraint accounts_slug_check CHECK (((char_length(slug) <= 200) AND (slug ~ '^([a-z0-9]+(-[a-z0-9]+)*)?$'::text)));
alter table public.accounts add constraint accounts_state_check CHECK (((char_length(state) <= 50) AND (state !~ '[[:cntrl:]]'::text)));
alter table public.accounts add constraint accounts_state_decomposed_check CHECK (((octet_length(state) <= 25) OR (char_length(NORMALIZE(state, NFKD)) <= 150)));
alter table public.accounts add constraint accounts_state_turns_no_text CHECK ((state !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text));
alter table public.accounts add constraint accounts_status_check CHECK (((char_length(status) >= 1) AND (char_length(status) <= 50)));
alter table public.accounts add constraint accounts_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES auth.users(id) ON DELETE SET NULL;
alter table public.accounts add constraint accounts_zip_code_check CHECK (((char_length(zip_code) <= 20) AND (zip_code !~ '[[:cntrl:]]'::text)));
alter table public.accounts add constraint accounts_zip_code_turns_no_text CHECK ((zip_code !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text));
alter table public.notification_settings add constraint notification_settings_pkey PRIMARY KEY (id);
alter table public.notification_settings add constraint notification_settings_sender_email_check CHECK (((char_length(sender_email) <= 255) AND (sender_email ~ '^[^@[:space:]]+@[^@[:space:]]+\.[^@[:space:]]+$'::text)));
alter table public.notification_settings add constraint notification_settings_sender_email_is_one_address CHECK (((sender_email ~ '^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$'::text) AND (POSITION(('@'::text) IN (sender_email)) <= 65)));
alter table public.notification_settings add constraint notification_settings_sender_name_check CHECK ((((char_length(sender_name) >= 1) AND (char_length(sender_name) <= 100)) AND (sender_name !~ '[[:cntrl:]]'::text)));
alter table public.notification_settings add constraint notification_settings_sender_name_is_visible CHECK ((sender_name ~ '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'::text));
alter table public.notification_settings add constraint notification_settings_sender_name_turns_no_text CHECK ((sender_name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text));
alter table public.notification_settings add constraint notification_settings_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES auth.users(id) ON DELETE SET NULL;
alter table public.profiles add constraint profiles_full_name_check CHECK (((char_length(full_name) <= 200) AND (full_name !~ '[[:cntrl:]]'::text)));
alter table public.profiles add constraint profiles_full_name_is_visible CHECK ((full_name ~ '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'::text));
alter table public.profiles add constraint profiles_full_name_turns_no_text CHECK ((full_name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text));
alter table public.profiles add constraint profiles_id_fkey FOREIGN KEY (id) REFERENCES auth.users(id) ON DELETE CASCADE;
alter table public.profiles add constraint profiles_phone_check CHECK ((phone ~ '^\+[1-9][0-9]{4,14}$'::text));
alter table public.profiles add constraint profiles_pkey PRIMARY KEY (id);
alter table public.user_roles add constraint user_roles_granted_by_fkey FOREIGN KEY (granted_by) REFERENCES auth.users(id) ON DELETE SET NULL;
alter table public.user_roles add constraint user_roles_pkey PRIMARY KEY (id);
alter table public.user_roles add constraint user_roles_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;
alter table public.user_roles add constraint user_roles_user_id_role_key UNIQUE (user_id, role);

-- Indexes
CREATE INDEX account_imports_created_at_idx ON private.account_imports USING btree (created_at);
CREATE INDEX account_imports_created_by_idx ON private.account_imports USING btree (created_by);
CREATE INDEX account_members_ends_at_idx ON public.account_members USING btree (ends_at) WHERE ((ends_at IS NOT NULL) AND (status = 'active'::text));
CREATE INDEX account_members_newest_idx ON public.account_members USING btree (account_id, created_at DESC, id DESC);
CREATE INDEX account_members_user_id_idx ON public.account_members USING btree (user_id);
CREATE INDEX account_suspensions_suspended_by_idx ON private.account_suspensions USING btree (suspended_by);
CREATE INDEX accounts_contact_search_idx ON public.accounts USING gin (contact_text extensions.gin_trgm_ops);
CREATE INDEX accounts_created_by_idx ON public.accounts USING btree (created_by);
CREATE INDEX accounts_distinctive_trigrams_idx ON public.accounts USING gin (private.distinctive_name(name) extensions.gin_trgm_ops);
CREATE INDEX accounts_folded_place_idx ON public.accounts USING gin (private.spellings(((COALESCE(city, ''::text) || chr(10)) || COALESCE(state, ''::text))) extensions.gin_trgm_ops);
CREATE INDEX accounts_folded_search_idx ON public.accounts USING gin ((((private.spellings(name) || chr(10)) || slug)) extensions.gin_trgm_ops);
CREATE INDEX accounts_name_key_idx ON public.accounts USING btree (((private.fold_text(name))::private.folded_text), id);
CREATE INDEX accounts_newest_idx ON public.accounts USING btree (created_at DESC, id DESC);
CREATE INDEX accounts_same_words_idx ON public.accounts USING btree (private.comparable_name(name) text_pattern_ops);
CREATE INDEX accounts_slug_name_idx ON public.accounts USING btree (slug, private.fold_text(name));
CREATE INDEX accounts_status_idx ON public.accounts USING btree (status, id);
CREATE INDEX accounts_type_idx ON public.accounts USING btree (account_type, id);
CREATE INDEX accounts_updated_by_idx ON public.accounts USING btree (updated_by);
CREATE INDEX accounts_updated_idx ON public.accounts USING btree (updated_at, id);
CREATE INDEX audit_log_entries_created_at_idx ON auth.audit_log_entries USING btree (created_at DESC);
CREATE INDEX audit_log_lists_idx ON private.audit_log USING btree (at, id) WHERE (action = ANY (ARRAY['list_invited'::text, 'list_resent'::text, 'list_revoked'::text]));
CREATE INDEX audit_log_newest_idx ON private.audit_log USING btree (at, id) WITH (fillfactor='100') WHERE (part_of IS NULL);
CREATE INDEX audit_log_part_newest_idx ON private.audit_log USING btree (at, id) WITH (fillfactor='100') WHERE (part_of IS NOT NULL);
CREATE INDEX audit_log_part_person_idx ON private.audit_log USING btree (COALESCE((actor)::text, origin), table_name, at, id) WHERE (part_of IS NOT NULL);
CREATE INDEX audit_log_part_table_idx ON private.audit_log USING btree (table_name, at, id) WHERE (part_of IS NOT NULL);
CREATE INDEX audit_log_parts_idx ON private.audit_log USING btree (part_of, at, id) WHERE (part_of IS NOT NULL);
CREATE INDEX audit_log_person_idx ON private.audit_log USING btree (COALESCE((actor)::text, origin), table_name, at, id) WHERE (part_of IS NULL);
CREATE INDEX audit_log_record_idx ON private.audit_log USING btree (COALESCE((COALESCE(after, before) ->> 'account_id'::text),
CASE
    WHEN (table_name = ANY (ARRAY['public.user_roles'::text, 'auth.mfa_factors'::text, 'auth.sessions'::text])) THEN (COALESCE(after, before) ->> 'user_id'::text)
    ELSE NULL::text
END, row_id), at, id);
CREATE INDEX audit_log_renames_idx ON private.audit_log USING btree (row_id, at, id) WHERE ((action = 'UPDATE'::text) AND (((table_name = 'public.accounts'::text) AND (before ? 'name'::text)) OR ((table_name = 'public.profiles'::text) AND (before ? 'full_name'::text))));
CREATE INDEX audit_log_request_idx ON private.audit_log USING btree (at, COALESCE(request_id, ''::text), id) WITH (fillfactor='100');
CREATE INDEX audit_log_run_idx ON private.audit_log USING btree (run_id, at, id) WHERE (run_id IS NOT NULL);
CREATE INDEX audit_log_table_idx ON private.audit_log USING btree (table_name, at, id) WHERE (part_of IS NULL);
CREATE INDEX audit_log_undoes_idx ON private.audit_log USING btree (undoes, id) WHERE (undoes IS NOT NULL);
CREATE INDEX deliveries_attempted_at_idx ON private.deliveries USING btree (attempted_at) WHERE (attempted_at IS NOT NULL);
CREATE INDEX deliveries_due_idx ON private.deliveries USING btree (due_at) WHERE (status = 'waiting'::text);
CREATE INDEX deliveries_finished_at_idx ON private.deliveries USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX deliveries_invitation_id_idx ON private.deliveries USING btree (invitation_id, created_at DESC);
CREATE INDEX deliveries_member_invitation_id_idx ON private.deliveries USING btree (member_invitation_id, created_at DESC);
CREATE INDEX deliveries_notice_idx ON private.deliveries USING btree (recipient, kind, attempted_at) WHERE (reserve = 'notice'::text);
CREATE INDEX deliveries_reserve_idx ON private.deliveries USING btree (reserve, decoy, due_at, id) WHERE ((status = 'waiting'::text) AND (NOT attended));
CREATE INDEX deliveries_user_id_idx ON private.deliveries USING btree (user_id);
CREATE INDEX flow_state_expires_at_idx ON auth.flow_state USING btree (expires_at);
CREATE INDEX flow_state_linking_target_id_idx ON auth.flow_state USING btree (linking_target_id) WHERE (linking_target_id IS NOT NULL);
CREATE INDEX flow_state_user_id_idx ON auth.flow_state USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX identities_email_idx ON auth.identities USING btree (email);
CREATE INDEX identities_user_id_idx ON auth.identities USING btree (user_id);
CREATE INDEX imported_accounts_import_id_idx ON private.imported_accounts USING btree (import_id, account_id);
CREATE INDEX invitation_tokens_invitation_id_idx ON private.invitation_tokens USING btree (invitation_id);
CREATE INDEX invitations_newest_idx ON private.invitations USING btree (invited_at DESC, id DESC);
CREATE INDEX invitations_user_id_idx ON private.invitations USING btree (user_id);
CREATE INDEX member_invitation_tokens_invitation_id_idx ON private.member_invitation_tokens USING btree (invitation_id);
CREATE INDEX member_invitations_newest_idx ON private.member_invitations USING btree (account_id, invited_at DESC, id DESC);
CREATE INDEX member_invitations_user_id_idx ON private.member_invitations USING btree (user_id);
CREATE INDEX mfa_challenges_factor_id_idx ON auth.mfa_challenges USING btree (factor_id, created_at DESC);
CREATE INDEX mfa_factors_user_id_idx ON auth.mfa_factors USING btree (user_id, created_at);
CREATE INDEX one_time_tokens_user_idx ON auth.one_time_tokens USING btree (user_id);
CREATE INDEX rate_limits_ends_at_idx ON auth.rate_limits USING btree (ends_at);
CREATE INDEX request_keys_created_at_idx ON private.request_keys USING btree (created_at);
CREATE INDEX sessions_factor_id_idx ON auth.sessions USING btree (factor_id) WHERE (factor_id IS NOT NULL);
CREATE INDEX sessions_from_link_idx ON auth.sessions USING btree (from_link) WHERE (from_link IS NOT NULL);
CREATE INDEX sessions_passkey_id_idx ON auth.sessions USING btree (passkey_id) WHERE (passkey_id IS NOT NULL);
CREATE INDEX sessions_user_id_idx ON auth.sessions USING btree (user_id, created_at DESC);
CREATE INDEX user_roles_ends_at_idx ON public.user_roles USING btree (ends_at) WHERE (ends_at IS NOT NULL);
CREATE INDEX user_roles_granted_by_idx ON public.user_roles USING btree (granted_by);
CREATE INDEX users_created_at_idx ON auth.users USING btree (created_at DESC, id);
CREATE INDEX webauthn_challenges_expires_at_idx ON auth.webauthn_challenges USING btree (expires_at);
CREATE INDEX webauthn_credentials_user_id_idx ON auth.webauthn_credentials USING btree (user_id, created_at);
CREATE UNIQUE INDEX mfa_factors_friendly_name_key ON auth.mfa_factors USING btree (user_id, friendly_name) WHERE (friendly_name <> ''::text);
CREATE UNIQUE INDEX one_time_tokens_hash_key ON auth.one_time_tokens USING btree (token_hash);
CREATE UNIQUE INDEX one_time_tokens_user_key ON auth.one_time_tokens USING btree (user_id, token_type) WHERE (token_type <> ALL (ARRAY['recovery'::auth.one_time_token_type, 'magic_link'::auth.one_time_token_type]));
CREATE UNIQUE INDEX users_email_key ON auth.users USING btree (email);
CREATE UNIQUE INDEX users_phone_key ON auth.users USING btree (phone);
CREATE UNIQUE INDEX webauthn_challenges_user_id_key ON auth.webauthn_challenges USING btree (user_id);

-- Functions
CREATE OR REPLACE FUNCTION auth.email()
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN ((NULLIF(current_setting('request.jwt.claims'::text, true), ''::text))::jsonb ->> 'email'::text)
;
CREATE OR REPLACE FUNCTION auth.end_devices()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.device_epoch := old.device_epoch + 1;
  return new;
end
$function$
;
CREATE OR REPLACE FUNCTION auth.has_sign_in_method(subject uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN ((EXISTS (SELECT FROM auth.users u WHERE ((u.id = has_sign_in_method.subject) AND (COALESCE(u.encrypted_password, ''::text) <> ''::text)))) OR (EXISTS (SELECT FROM auth.identities i WHERE ((i.user_id = has_sign_in_method.subject) AND (i.provider <> 'email'::text)))) OR (EXISTS (SELECT FROM auth.webauthn_credentials c WHERE (c.user_id = has_sign_in_method.subject))))
;
CREATE OR REPLACE FUNCTION auth.has_verifying_passkey(subject uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM auth.webauthn_credentials c WHERE ((c.user_id = has_verifying_passkey.subject) AND c.user_verified)))
;
CREATE OR REPLACE FUNCTION auth.jwt()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN (COALESCE(NULLIF(current_setting('request.jwt.claims'::text, true), ''::text), '{}'::text))::jsonb
;
CREATE OR REPLACE FUNCTION auth.lower_sessions_of_factor()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from auth.mfa_amr_claims a
    using auth.sessions s
    where s.factor_id = old.id and a.session_id = s.id
      and a.authentication_method in ('totp', 'mfa/phone', 'mfa/webauthn', 'mfa/recovery_code');
  update auth.sessions s set aal = case when s.passkey_aal2 then 'aal2' else 'aal1' end::auth.aal_level, factor_id = null
    where s.factor_id = old.id;
  return old;
end
$function$
;
CREATE OR REPLACE FUNCTION auth.note_verified_factor()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$
;
CREATE OR REPLACE FUNCTION auth.require_live_session(session uuid, subject uuid, level text)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$
;
CREATE OR REPLACE FUNCTION auth.role()
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN ((NULLIF(current_setting('request.jwt.claims'::text, true), ''::text))::jsonb ->> 'role'::text)
;
CREATE OR REPLACE FUNCTION auth.uid()
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN (((NULLIF(current_setting('request.jwt.claims'::text, true), ''::text))::jsonb ->> 'sub'::text))::uuid
;
CREATE OR REPLACE FUNCTION private.accept_invitation(invited_user uuid, invitation uuid DEFAULT NULL::uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  accepted uuid;
  inviter uuid;
  role_end timestamptz;
begin
  update private.invitations i
    set status = 'accepted', accepted_at = now()
    where i.user_id = invited_user and i.status = 'pending' and i.expires_at > now()
      and i.id = coalesce(invitation, i.id)
    returning i.id, i.invited_by, i.role_ends_at into accepted, inviter, role_end;
  if accepted is null then
    return false;
  end if;
  delete from private.invitation_tokens t where t.invitation_id = accepted;
  delete from public.user_roles r
    where r.user_id = invited_user and r.role = 'platform_admin' and r.ends_at <= now();
  -- The role of the inviter may have another end date by now, or no longer exist.
  select case when r.user_id is null then role_end else r.ends_at end into role_end
    from (select) invitation
      left join public.user_roles r on r.user_id = inviter and r.role = 'platform_admin';
  insert into public.user_roles (user_id, role, granted_by, ends_at)
    values (invited_user, 'platform_admin', inviter, role_end)
    on conflict (user_id, role) do nothing;
  return true;
end
$function$
;
CREATE OR REPLACE FUNCTION private.accept_member_invitations(invited_user uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  accepted uuid[];
begin
  with changed as (
    update private.member_invitations i
      set status = 'accepted', accepted_at = now()
      where i.user_id = invited_user and i.status = 'pending' and i.expires_at > now()
        and (i.membership_ends_at is null or i.membership_ends_at > now())
        and not exists (select from public.user_roles r where r.user_id = invited_user)
      returning i.id, i.account_id, i.membership_ends_at
  ), added as (
    insert into public.account_members (account_id, user_id, ends_at)
      select c.account_id, invited_user, c.membership_ends_at from changed c order by c.account_id
      on conflict (account_id, user_id) do nothing
  )
  select array_agg(c.id) into accepted from changed c;
  delete from private.member_invitation_tokens t where t.invitation_id = any (accepted);
  return query select unnest(accepted);
end
$function$
;
CREATE OR REPLACE FUNCTION private.administrator_denial(subject uuid, level text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  denial text;
begin
  select case
      when r.ends_at <= now() then 'role_ended'
      when exists (select from private.second_factor_requirement where due_at <= now())
        and not private.meets_second_factor_requirement(subject, level) then 'second_factor_required'
      else ''
    end
    into denial
    from public.user_roles r
    where r.user_id = subject and r.role = 'platform_admin';
  if not found then
    return 'not_platform_admin';
  end if;
  return nullif(denial, '');
end
$function$
;
CREATE OR REPLACE FUNCTION private.check_account_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if (old.status, new.status) in (
    ('active', 'suspended'), ('suspended', 'active'),
    ('active', 'archived'), ('suspended', 'archived'), ('archived', 'active')
  ) or (old.status not in ('active', 'suspended', 'archived') and new.status = 'active') then
    return new;
  end if;
  raise exception using
    errcode = '23514',
    schema = 'public',
    table = 'accounts',
    constraint = 'accounts_status_transition',
    message = format('The status of an account cannot change from "%s" to "%s"', old.status, new.status);
end
$function$
;
CREATE OR REPLACE FUNCTION private.comparable_name(name text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 500
 SET search_path TO ''
AS $function$
declare
  abbreviations constant jsonb := '{
    "and": "", "the": "", "of": "", "for": "", "inc": "", "llc": "", "ltd": "", "gmbh": "", "corp": "",
    "sar": "search rescue", "mr": "mountain rescue", "mrt": "mountain rescue team",
    "fd": "fire department", "vfd": "volunteer fire department", "pd": "police department", "so": "sheriffs office",
    "ems": "emergency medical services", "uscg": "united states coast guard",
    "rnli": "royal national lifeboat institution", "nps": "national park service", "np": "national park",
    "st": "saint", "ste": "sainte", "ft": "fort", "pt": "port", "is": "island", "isl": "island", "vly": "valley",
    "mt": "mountain", "mtn": "mountain", "mtns": "mountain", "mount": "mountain", "mountains": "mountain",
    "n": "north", "s": "south", "e": "east", "w": "west",
    "co": "county", "cnty": "county", "twp": "township", "dist": "district", "dept": "department",
    "svc": "service", "svcs": "services", "serv": "service", "assn": "association", "assoc": "association",
    "org": "organization", "intl": "international", "natl": "national", "nat": "national", "univ": "university",
    "hosp": "hospital", "ctr": "center", "centre": "center", "med": "medical", "amb": "ambulance",
    "vol": "volunteer", "emerg": "emergency", "mgmt": "management", "harbour": "harbor"
  }'::jsonb;
  word text;
  result text := '';
begin
  -- Punctuation separates words; apostrophes and periods do not.
  name := translate(private.fold_text(name), '-&/,()+:;!?"#$%*<=>@[\]^_`{|}~–—·''’.', repeat(' ', 33));
  foreach word in array string_to_array(name, ' ') loop
    word := coalesce(abbreviations ->> word, word);
    if word <> '' then
      result := result || ' ' || word;
    end if;
  end loop;
  return ltrim(result);
end
$function$
;
CREATE OR REPLACE FUNCTION private.count_active_members()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Adds a difference instead of a new count, so that concurrent inserts both count.
  if tg_op <> 'INSERT' and old.status = 'active' then
    update public.accounts set active_members = active_members - 1 where id = old.account_id;
  end if;
  if tg_op <> 'DELETE' and new.status = 'active' then
    update public.accounts set active_members = active_members + 1 where id = new.account_id;
  end if;
  return null;
end
$function$
;
CREATE OR REPLACE FUNCTION private.create_profile()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- The client chooses the metadata. An invalid name must not prevent the user from being created, so it is repaired.
  name text := nullif(btrim(left(regexp_replace(
    new.raw_user_meta_data ->> 'full_name',
    '[[:cntrl:]\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', ' ', 'g'), 200)), '');
begin
  insert into public.profiles (id, full_name)
    values (
      new.id,
      case when name ~ ('[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
      '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
      '\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]') then name end
    )
    on conflict (id) do nothing;
  return null;
end
$function$
;
CREATE OR REPLACE FUNCTION private.display_name(full_name text, email text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(NULLIF(btrim(full_name), ''::text), email)
;
CREATE OR REPLACE FUNCTION private.distinctive_name(name text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT COST 1000
 SET search_path TO ''
AS $function$
declare
  comparable text := private.comparable_name(name);
begin
  return coalesce(nullif(private.distinctive_words(comparable), ''), comparable);
end
$function$
;
CREATE OR REPLACE FUNCTION private.distinctive_words(comparable text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
RETURN (SELECT COALESCE(string_agg(words.word, ' '::text ORDER BY words.place), ''::text) AS "coalesce" FROM regexp_split_to_table(distinctive_words.comparable, ' '::text) WITH ORDINALITY words(word, place) WHERE (words.word <> ALL ('{search,rescue,mountain,ski,patrol,team,fire,department,police,county,district,city,park,service,services,emergency,medical,ambulance,volunteer,hospital,center,national,association,harbor,port,lifeguard,lifeguards,lifeboat,station,response,guard,coast,air,medics,management,master,sheriffs,office,saint,fort,north,south,east,west,island,valley,lake,university,international,airport,surf,red,cross,croix,rouge,cruz,roja,hopital,protecao,civil,bergwacht,bergrettung,feuerwehr}'::text[])))
;
CREATE OR REPLACE FUNCTION private.end_account_suspension()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.account_suspensions s where s.id = new.id;
  return null;
end
$function$
;
CREATE OR REPLACE FUNCTION private.end_memberships(OUT ended integer, OUT sessions jsonb)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  batch uuid[];
begin
  -- Does not wait for a user, a membership or an account that another transaction has locked: it could lock several accounts,
  -- too, in another order. The next call ends these memberships.
  select array_agg(due.id) into batch from (
    select m.id from public.account_members m
      join auth.users u on u.id = m.user_id
      join public.accounts a on a.id = m.account_id
      where m.status = 'active' and m.ends_at <= now()
      order by m.account_id, m.id limit 1000
      for no key update of u, m, a skip locked
  ) due;
  ended := coalesce(cardinality(batch), 0);
  with changed as (
    update public.account_members m set status = 'ended'
      where m.id = any (batch)
      returning m.user_id, m.ends_at
  ), members as (
    select c.user_id, max(c.ends_at) as ends_at from changed c group by c.user_id
  ), revoked as (
    delete from auth.sessions s
      using members e
      where s.user_id = e.user_id and s.created_at < e.ends_at
        and not exists (select from private.active_administrators a where a.id = s.user_id)
        and not exists (
          select from private.active_memberships m join public.accounts a on a.id = m.account_id
            where m.user_id = s.user_id and a.status = 'active'
        )
      returning s.id, s.user_id, s.created_at
  )
  select coalesce(jsonb_agg(r), '[]') into sessions from revoked r;
end
$function$
;
CREATE OR REPLACE FUNCTION private.end_roles()
 RETURNS TABLE(id uuid, user_id uuid, created_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query delete from auth.sessions s
    using public.user_roles r
    where r.user_id = s.user_id and r.role = 'platform_admin' and r.ends_at <= now() and s.created_at < r.ends_at
    returning s.id, s.user_id, s.created_at;
  update private.invitations i set status = 'ended'
    from public.user_roles r
    where r.user_id = i.user_id and r.role = 'platform_admin' and r.ends_at <= now() and i.status = 'accepted';
end
$function$
;
CREATE OR REPLACE FUNCTION private.fold_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(value) = char_length(value)) THEN lower((value COLLATE "C")) ELSE private.fold_unicode(value) END
;
CREATE OR REPLACE FUNCTION private.fold_unicode(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
declare
  capitals constant text :=
    'ÆÐØÞĐĦŁŊŒŦƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩϏϘϚϜϞϠϢϤϦϨϪϬ' ||
    'ϮϷϺϽϾϿЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾ' ||
    'ԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖẞøđðłħŧıς‘’ʼ′׳‐‒–—―−־';
  folded constant text :=
    'ædoþdhlŋœtɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳαβγδεζηθικλμνξοπρστυφχψωϗϙϛϝϟϡϣϥϧϩϫϭ' ||
    'ϯϸϻͻͼͽђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿ' ||
    'ԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆßoddlhtiσ''''''''''-------';
  ignored constant text :=
    '[\u0300-\u036f\u00ad\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]+';
  used text;
begin
  value := lower(regexp_replace(normalize(value, NFKD), ignored, '', 'g') collate "C");
  if octet_length(value) = char_length(value) then
    return value;
  end if;
  used := regexp_replace(value, '[^' || capitals || ']+', '', 'g');
  if used <> '' then
    value := translate(value, used, translate(used, capitals, folded));
  end if;
  return replace(replace(replace(replace(value, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
end
$function$
;
CREATE OR REPLACE FUNCTION private.guard_given_membership()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  given_until timestamptz := coalesce((to_jsonb(new) ->> tg_argv[0])::timestamptz, 'infinity');
begin
  if coalesce(current_setting('request.undoes', true), '') = '' and exists (
    select from public.user_roles r
      where r.user_id = auth.uid() and r.role = 'platform_admin' and r.ends_at < given_until
  ) then
    raise exception using
      errcode = '42501',
      constraint = 'account_members_role_end',
      message = 'You cannot give a membership that outlasts your own role. '
        'Set an end date that is not after the end of your role';
  end if;
  return new;
end
$function$
;
CREATE OR REPLACE FUNCTION private.guard_membership_end()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if old.user_id = auth.uid() then
    raise exception using
      errcode = '42501',
      constraint = 'account_members_own_end',
      message = case tg_op
        when 'DELETE' then 'Only another administrator can remove your membership, because it has an end date'
        else 'Only another administrator can change the end date of your membership' end;
  end if;
  return coalesce(new, old);
end
$function$
;
CREATE OR REPLACE FUNCTION private.guard_requirement_seniority()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_seniority(null, false);
  return coalesce(new, old);
end
$function$
;
CREATE OR REPLACE FUNCTION private.guard_role_end()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  actor_end timestamptz;
begin
  select r.ends_at into actor_end from public.user_roles r
    where r.user_id = auth.uid() and r.role = 'platform_admin' and r.user_id <> new.user_id;
  if tg_op = 'INSERT' then
    new.granted_by := coalesce(new.granted_by, nullif(auth.uid(), new.user_id));
    new.ends_at := least(new.ends_at, actor_end);
    return new;
  end if;
  if new.ends_at is not distinct from old.ends_at then
    return new;
  end if;
  if new.user_id = auth.uid() then
    raise exception using
      errcode = '42501',
      constraint = 'user_roles_role_end',
      message = 'Only another administrator can change the end date of your role';
  end if;
  if actor_end is not null and coalesce(new.ends_at, 'infinity') > actor_end then
    raise exception using
      errcode = '42501',
      constraint = 'user_roles_role_end',
      message = 'You cannot grant a role that outlasts your own';
  end if;
  return new;
end
$function$
;
CREATE OR REPLACE FUNCTION private.guard_role_seniority()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op <> 'INSERT' then
    perform private.require_seniority(old.user_id, true);
  end if;
  if tg_op <> 'DELETE' then
    perform private.require_seniority(new.user_id, true);
  end if;
  return coalesce(new, old);
end
$function$
;
CREATE OR REPLACE FUNCTION private.guard_second_factor_requirement()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is not null and not private.meets_second_factor_requirement(auth.uid(), auth.jwt() ->> 'aal') then
    raise exception using
      errcode = '42501',
      constraint = 'second_factor_requirement_own_factor',
      message = 'Set up your own second factor before you require one';
  end if;
  return new;
end
$function$
;
CREATE OR REPLACE FUNCTION private.guard_user_seniority()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_seniority((to_jsonb(old) ->> tg_argv[0])::uuid, tg_argv[1]::boolean);
  return coalesce(new, old);
end
$function$
;
CREATE OR REPLACE FUNCTION private.has_passkey_session(subject uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM auth.sessions s WHERE ((s.id = ((auth.jwt() ->> 'session_id'::text))::uuid) AND (s.user_id = has_passkey_session.subject) AND (s.aal = 'aal2'::auth.aal_level) AND COALESCE(((to_jsonb(s.*) ->> 'passkey_aal2'::text))::boolean, false))))
;
CREATE OR REPLACE FUNCTION private.has_verified_factor(subject uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (EXISTS (SELECT FROM auth.mfa_factors f WHERE ((f.user_id = has_verified_factor.subject) AND (f.status = 'verified'::auth.factor_status))))
;
CREATE OR REPLACE FUNCTION private.index_account_contacts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed uuid[];
begin
  case tg_op
    when 'INSERT' then changed := array(select n.account_id from new_rows n);
    when 'DELETE' then changed := array(select o.account_id from old_rows o);
    else changed := array(select n.account_id from new_rows n union select o.account_id from old_rows o);
  end case;
  -- A concurrent change of the same contacts waits here, and then reads those of this one.
  perform from public.accounts a where a.id = any (changed) order by a.id for no key update;
  update public.accounts a set contact_text = t.text
    from (
      select e.id, (
          select string_agg(concat_ws(chr(10), private.spellings(c.name), c.email, ltrim(c.phone, '+')), chr(10)
              order by c.position)
            from public.account_contacts c where c.account_id = e.id
        ) as text
        from unnest(changed) e (id) group by e.id
    ) t
    where a.id = t.id and a.contact_text is distinct from t.text;
  return null;
end
$function$
;
CREATE OR REPLACE FUNCTION private.insert_invitation()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into private.invitations (id, full_name, email, invited_at, status, expires_at)
  values (
    coalesce(new.id, gen_random_uuid()),
    new.full_name,
    lower(btrim(new.email)),
    coalesce(new.invited_at, now()),
    case when new.status = 'expired' then 'pending' else coalesce(new.status, 'pending') end,
    coalesce(
      case when new.status = 'expired' then least(new.expires_at, now()) else new.expires_at end,
      now() + interval '7 days'
    )
  )
  returning id, invited_at, status, expires_at into new.id, new.invited_at, new.status, new.expires_at;
  return new;
end
$function$
;
CREATE OR REPLACE FUNCTION private.invitation_expiry(term_seconds integer, term_until timestamp with time zone, default_seconds integer, at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when term_until >= at + interval '1 hour' then term_until
    else at + coalesce(term_seconds, default_seconds) * interval '1 second'
  end
$function$
;
CREATE OR REPLACE FUNCTION private.is_platform_admin()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return private.administrator_denial(auth.uid(), auth.jwt() ->> 'aal') is null;
end
$function$
;
CREATE OR REPLACE FUNCTION private.keep_answer(answered_caller text, answered_key uuid, answer_status smallint, answer_headers text, answer_body text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
BEGIN ATOMIC
 UPDATE private.request_keys SET status = keep_answer.answer_status, headers = keep_answer.answer_headers, body = keep_answer.answer_body
   WHERE ((request_keys.caller = keep_answer.answered_caller) AND (request_keys.key = keep_answer.answered_key) AND (request_keys.status IS NULL));
END
;
CREATE OR REPLACE FUNCTION private.keep_last_platform_admin()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if old.ends_at is null and (
    tg_op = 'DELETE' or new.ends_at is not null or new.user_id <> old.user_id or new.role <> old.role
  ) then
    perform private.require_other_platform_admin(old.user_id);
  end if;
  return coalesce(new, old);
end
$function$
;
CREATE OR REPLACE FUNCTION private.keep_platform_admin_access()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  role_end timestamptz;
begin
  if new.deleted_at is not null then
    -- A deleted user has no roles. keep_last_platform_admin rejects the deletion of the last administrator.
    delete from public.user_roles r where r.user_id = new.id;
    return new;
  end if;
  select r.ends_at into role_end from public.user_roles r where r.user_id = new.id and r.role = 'platform_admin';
  if not found then
    return new;
  end if;
  -- Policies grant administrators their rights through this database role only.
  if new.role <> old.role and new.role <> 'authenticated' then
    raise exception using
      errcode = '23514',
      message = 'An administrator must have the database role authenticated';
  end if;
  if new.banned_until > now() and role_end is null then
    perform private.require_other_platform_admin(new.id);
  end if;
  return new;
end
$function$
;
CREATE OR REPLACE FUNCTION private.keep_seniority()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The user no longer exists if the deletion of the user removed the role.
  insert into private.former_administrators as f (user_id, since)
    select u.id, old.created_at from auth.users u where u.id = old.user_id
    on conflict (user_id) do update set since = least(f.since, excluded.since);
  return null;
end
$function$
;
CREATE OR REPLACE FUNCTION private.keep_single_settings()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('private.keep_single_settings'));
  -- All other clients get the error of the policy, which does not reveal whether a row exists.
  if (auth.role() = 'service_role' or private.is_platform_admin())
    and exists (select from public.notification_settings) then
    raise exception using
      errcode = '23505',
      message = 'Notification settings already exist',
      hint = 'Reload the page and save again to update the existing settings.';
  end if;
  return new;
end
$function$
;
CREATE OR REPLACE FUNCTION private.meets_second_factor_requirement(subject uuid, level text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
RETURN (COALESCE((level = 'aal2'::text), false) AND (private.has_verified_factor(subject) OR private.has_passkey_session(subject)))
;
CREATE OR REPLACE FUNCTION private.own_account_ids()
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query select m.account_id from private.active_memberships m where m.user_id = auth.uid();
end
$function$
;
CREATE OR REPLACE FUNCTION private.reactivate_invitation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.invitations i set status = 'accepted' where i.user_id = new.user_id and i.status = 'ended';
  return null;
end
$function$
;
CREATE OR REPLACE FUNCTION private.record_auth_action()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  traits jsonb := new.payload -> 'traits';
  actor_id uuid := nullif(new.payload ->> 'actor_id', '')::uuid;
  subject text := coalesce(traits ->> 'user_id', actor_id::text);
begin
  if exists (
    select from public.user_roles r
      where r.role = 'platform_admin' and (r.user_id = actor_id or r.user_id::text = subject)
  ) then
    insert into private.audit_log (actor, request_id, table_name, row_id, action, after)
    values (
      actor_id,
      new.payload ->> 'request_id',
      'auth.users',
      subject,
      new.payload ->> 'action',
      case when traits ? 'changed' then jsonb_build_object('changed', traits -> 'changed') end
    );
  end if;
  return null;
end
$function$
;
CREATE OR REPLACE FUNCTION private.record_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  before jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) end;
  after jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) end;
  row_id text := coalesce(after, before) ->> 'id';
  omitted text[];
begin
  if tg_op = 'UPDATE' then
    omitted := array(
      select f.key from jsonb_each(before) f
        where f.value is not distinct from after -> f.key or f.key = 'updated_at'
    );
    before := before - omitted;
    after := after - array(
      select o.key from unnest(omitted) o (key)
        where o.key not in ('account_id', 'user_id', 'name', 'full_name', 'sender_name', 'email')
    );
  end if;
  insert into private.audit_log (actor, request_id, table_name, row_id, action, before, after)
  values (
    auth.uid(),
    nullif(current_setting('request.id', true), ''),
    tg_table_schema || '.' || tg_table_name,
    row_id,
    tg_op,
    before,
    after
  );
  return null;
end
$function$
;
CREATE OR REPLACE FUNCTION private.referenced_accounts(account_ids uuid[])
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE STRICT
 SET search_path TO ''
AS $function$
declare
  reference record;
begin
  for reference in
    select c.conrelid::regclass as referencing_table, a.attname as referencing_column
      from pg_catalog.pg_constraint c
      join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'public.accounts'::regclass
        and c.conrelid <> 'private.imported_accounts'::regclass
  loop
    return query execute format(
      'select distinct %I from %s where %I = any ($1)',
      reference.referencing_column, reference.referencing_table, reference.referencing_column
    ) using account_ids;
  end loop;
end
$function$
;
CREATE OR REPLACE FUNCTION private.reject_invitation_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception using errcode = '42501', message = 'Only the Functions API can change invitations';
end
$function$
;
CREATE OR REPLACE FUNCTION private.reject_invited_role()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.status = 'pending' and exists (select from public.user_roles r where r.user_id = new.user_id) then
    raise exception using
      errcode = '23514',
      constraint = 'member_invitations_no_role',
      message = 'A user with a role cannot be invited as a member';
  end if;
  return new;
end
$function$
;
CREATE OR REPLACE FUNCTION private.rename_administrator()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- A name that is too short for an invitation is not copied.
  update private.invitations i
    set full_name = left(new.full_name, 100)
    where i.user_id = new.id and i.status = 'accepted'
      and char_length(new.full_name) >= 2 and i.full_name <> left(new.full_name, 100);
  return null;
end
$function$
;
CREATE OR REPLACE FUNCTION private.reopen_membership()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.status := 'active';
  return new;
end
$function$
;
CREATE OR REPLACE FUNCTION private.request_role(token_role text, subject uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if token_role = 'authenticated' and private.administrator_denial(subject, auth.jwt() ->> 'aal') is null then
    return 'platform_administrator';
  end if;
  return token_role;
end
$function$
;
CREATE OR REPLACE FUNCTION private.require_other_platform_admin(changed_user uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Serializes concurrent removals. Otherwise each would count the administrator that the other removes.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('private.require_other_platform_admin'));
  if not exists (
    select from private.active_administrators a where a.id <> changed_user and a.ends_at is null
  ) then
    raise exception using
      errcode = '23514',
      message = 'The last platform administrator cannot be removed',
      hint = 'Invite another administrator first.';
  end if;
end
$function$
;
CREATE OR REPLACE FUNCTION private.require_seniority(target uuid, with_ended boolean)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  actor uuid := auth.uid();
  granted_at timestamptz;
begin
  if actor is null or actor = target then
    return;
  end if;
  select r.created_at into granted_at from public.user_roles r
    where r.user_id = actor and r.role = 'platform_admin' and r.created_at > now() - interval '24 hours';
  if not found then
    return;
  end if;
  if exists (
    select from public.user_roles r
      left join private.former_administrators f on f.user_id = r.user_id
      where r.user_id = coalesce(target, r.user_id) and r.user_id <> actor and r.role = 'platform_admin'
        and (with_ended or r.ends_at is null or r.ends_at > now())
        and least(r.created_at, f.since) < granted_at
  ) or with_ended and exists (
    select from private.former_administrators f where f.user_id = target and f.since < granted_at
  ) then
    raise exception using
      errcode = '42501',
      constraint = 'administrator_seniority',
      message = 'You have been an administrator for less than 24 hours',
      -- The time from which the action is possible.
      detail = to_char((granted_at + interval '24 hours') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      -- Seconds until then.
      hint = ceil(extract(epoch from granted_at + interval '24 hours' - now()));
  end if;
end
$function$
;
CREATE OR REPLACE FUNCTION private.similar_accounts(wanted text)
 RETURNS TABLE(id uuid, score real)
 LANGUAGE plpgsql
 STABLE STRICT
 SET search_path TO ''
 SET "pg_trgm.similarity_threshold" TO '0.4'
AS $function$
    declare
      folded text := private.fold_text(wanted);
      comparable text := private.comparable_name(wanted);
      distinctive text := private.distinctive_words(comparable);
      searched text := private.distinctive_name(wanted);
      candidates uuid[];
    begin
      candidates := array(
        select a.id from public.accounts a
          where private.distinctive_name(a.name) operator(extensions.%) searched
          limit 500);
      if cardinality(extensions.show_trgm(distinctive)) > cardinality(extensions.show_trgm(folded)) * 0.25 then
        perform set_config('pg_trgm.similarity_threshold', '0.75', true);
        candidates := candidates || array(
          select a.id from public.accounts a
            where (private.spellings(a.name) || chr(10) || a.slug) operator(extensions.%) folded
            limit 500);
      end if;
      -- The limit must not exclude the accounts of the same name.
      candidates := candidates || array(
        select a.id from public.accounts a where private.fold_text(a.name)::private.folded_text = folded limit 5);
      return query
        select found.id, found.score
          from (
            select other.id, other.name, extensions.similarity(other.name, comparable) as score
              from (
                select a.id, private.comparable_name(a.name) as name
                  from public.accounts a
                  where a.id = any (candidates)
                  offset 0
              ) other
          ) found
          where found.score >= 0.8
            or found.score >= 0.55 and extensions.similarity(private.distinctive_words(found.name), distinctive) >= 0.5
          order by found.score desc, found.id
          limit 5;
    end
    $function$
;
CREATE OR REPLACE FUNCTION private.similar_accounts_by_prefix(wanted text)
 RETURNS TABLE(id uuid, score real)
 LANGUAGE plpgsql
 STABLE STRICT
 SET search_path TO ''
AS $function$
declare
  comparable text := private.comparable_name(wanted);
  beginning text := left(comparable, greatest(6, ceil(char_length(comparable) * 0.6)::integer));
begin
  if char_length(comparable) < 3 then
    return;
  end if;
  -- A beginning of common words matches many accounts.
  return query
    select other.id, (1 - abs(char_length(other.name) - char_length(comparable)) / 300.0)::real
      from (
        select a.id, private.comparable_name(a.name) as name
          from public.accounts a
          where private.comparable_name(a.name) operator(pg_catalog.~>=~) beginning
            and private.comparable_name(a.name) operator(pg_catalog.~<~) (beginning || chr(1114111))
          limit 100
      ) other
      order by 2 desc, other.id
      limit 5;
end
$function$
;
CREATE OR REPLACE FUNCTION private.spellings(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(value) = char_length(value)) THEN lower((value COLLATE "C")) ELSE private.unicode_spellings(value) END
;
CREATE OR REPLACE FUNCTION private.stamp_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := greatest(pg_catalog.clock_timestamp(), old.updated_at + interval '1 microsecond');
  new.updated_by := auth.uid();
  return new;
end
$function$
;
CREATE OR REPLACE FUNCTION private.stamp_notification_settings()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new is distinct from old then
    new.updated_at := now();
    new.updated_by := auth.uid();
  end if;
  return new;
end
$function$
;
CREATE OR REPLACE FUNCTION private.touch_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at := now();
  return new;
end
$function$
;
CREATE OR REPLACE FUNCTION private.unicode_spellings(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
declare
  decomposed text := regexp_replace(normalize(value, NFKD),
    '[\u00ad\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]+',
    '', 'g');
begin
  if decomposed !~ '[aouAOU]\u0308|[aA]\u030a|[øØ]' then
    return private.fold_unicode(value);
  end if;
  decomposed := regexp_replace(decomposed, '([aouAOU])\u0308', '\1e', 'g');
  decomposed := regexp_replace(decomposed, '([aA])\u030a', '\1a', 'g');
  return private.fold_unicode(value) || chr(10)
    || private.fold_unicode(replace(replace(decomposed, 'ø', 'oe'), 'Ø', 'oe'));
end
$function$
;
CREATE OR REPLACE FUNCTION public.name_key(public.accounts)
 RETURNS private.folded_text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (private.fold_text(($1).name))::private.folded_text
;
CREATE OR REPLACE FUNCTION public.place_text(public.accounts)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN private.spellings(((COALESCE(($1).city, ''::text) || chr(10)) || COALESCE(($1).state, ''::text)))
;
CREATE OR REPLACE FUNCTION public.search_text(public.accounts)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((private.spellings(($1).name) || chr(10)) || ($1).slug)
;

-- Triggers
CREATE TRIGGER record_added_factor AFTER INSERT ON auth.audit_log_entries FOR EACH ROW WHEN (((new.payload ->> 'action'::text) = 'factor_added'::text)) EXECUTE FUNCTION private.record_auth_action();
CREATE TRIGGER record_auth_action AFTER INSERT ON auth.audit_log_entries FOR EACH ROW WHEN (((new.payload ->> 'action'::text) = ANY (ARRAY['user_updated_password'::text, 'user_modified'::text, 'user_deleted'::text, 'factor_unenrolled'::text, 'factor_deleted'::text, 'factor_updated'::text, 'recovery_codes_generated'::text, 'recovery_codes_deleted'::text, 'identity_linked'::text, 'identity_unlinked'::text, 'passkey_created'::text, 'passkey_updated'::text, 'passkey_deleted'::text]))) EXECUTE FUNCTION private.record_auth_action();
CREATE TRIGGER guard_seniority BEFORE DELETE OR UPDATE ON auth.mfa_factors FOR EACH ROW WHEN ((auth.uid() <> old.user_id)) EXECUTE FUNCTION private.guard_user_seniority('user_id', 'true');
CREATE TRIGGER lower_sessions_of_factor BEFORE DELETE ON auth.mfa_factors FOR EACH ROW EXECUTE FUNCTION auth.lower_sessions_of_factor();
CREATE TRIGGER note_verified_factor AFTER INSERT OR DELETE OR UPDATE ON auth.mfa_factors FOR EACH ROW EXECUTE FUNCTION auth.note_verified_factor();
CREATE TRIGGER guard_seniority BEFORE DELETE ON auth.sessions FOR EACH ROW WHEN ((auth.uid() <> old.user_id)) EXECUTE FUNCTION private.guard_user_seniority('user_id', 'false');
CREATE TRIGGER create_profile AFTER INSERT ON auth.users FOR EACH ROW EXECUTE FUNCTION private.create_profile();
CREATE TRIGGER end_devices BEFORE UPDATE OF encrypted_password, banned_until ON auth.users FOR EACH ROW WHEN (((old.encrypted_password IS DISTINCT FROM new.encrypted_password) OR (old.banned_until IS DISTINCT FROM new.banned_until))) EXECUTE FUNCTION auth.end_devices();
CREATE TRIGGER guard_seniority BEFORE UPDATE OF banned_until, deleted_at, role ON auth.users FOR EACH ROW WHEN (((auth.uid() <> old.id) AND ((old.banned_until IS DISTINCT FROM new.banned_until) OR (old.deleted_at IS DISTINCT FROM new.deleted_at) OR (old.role IS DISTINCT FROM new.role)))) EXECUTE FUNCTION private.guard_user_seniority('id', 'true');
CREATE TRIGGER keep_platform_admin_access BEFORE UPDATE OF banned_until, deleted_at, role ON auth.users FOR EACH ROW WHEN (((old.banned_until IS DISTINCT FROM new.banned_until) OR (old.deleted_at IS DISTINCT FROM new.deleted_at) OR (old.role IS DISTINCT FROM new.role))) EXECUTE FUNCTION private.keep_platform_admin_access();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON private.account_suspensions FOR EACH ROW EXECUTE FUNCTION private.record_change();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON private.invitations FOR EACH ROW EXECUTE FUNCTION private.record_change();
CREATE TRIGGER guard_role_end BEFORE INSERT OR UPDATE OF membership_ends_at, status, expires_at ON private.member_invitations FOR EACH ROW WHEN ((new.status = 'pending'::text)) EXECUTE FUNCTION private.guard_given_membership('membership_ends_at');
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON private.member_invitations FOR EACH ROW EXECUTE FUNCTION private.record_change();
CREATE TRIGGER reject_invited_role BEFORE INSERT OR UPDATE OF user_id, status ON private.member_invitations FOR EACH ROW EXECUTE FUNCTION private.reject_invited_role();
CREATE TRIGGER guard_requirement BEFORE INSERT OR UPDATE ON private.second_factor_requirement FOR EACH ROW EXECUTE FUNCTION private.guard_second_factor_requirement();
CREATE TRIGGER guard_seniority BEFORE INSERT OR DELETE OR UPDATE ON private.second_factor_requirement FOR EACH ROW EXECUTE FUNCTION private.guard_requirement_seniority();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON private.second_factor_requirement FOR EACH ROW EXECUTE FUNCTION private.record_change();
CREATE TRIGGER index_deleted AFTER DELETE ON public.account_contacts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.index_account_contacts();
CREATE TRIGGER index_inserted AFTER INSERT ON public.account_contacts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.index_account_contacts();
CREATE TRIGGER index_updated AFTER UPDATE ON public.account_contacts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.index_account_contacts();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON public.account_contacts FOR EACH ROW EXECUTE FUNCTION private.record_change();
CREATE TRIGGER count_active_members AFTER INSERT OR DELETE OR UPDATE ON public.account_members FOR EACH ROW EXECUTE FUNCTION private.count_active_members();
CREATE TRIGGER guard_changed_role_end BEFORE UPDATE ON public.account_members FOR EACH ROW WHEN ((old.ends_at IS DISTINCT FROM new.ends_at)) EXECUTE FUNCTION private.guard_given_membership('ends_at');
CREATE TRIGGER guard_end BEFORE UPDATE ON public.account_members FOR EACH ROW WHEN ((old.ends_at IS DISTINCT FROM new.ends_at)) EXECUTE FUNCTION private.guard_membership_end();
CREATE TRIGGER guard_removal BEFORE DELETE ON public.account_members FOR EACH ROW WHEN ((old.ends_at IS NOT NULL)) EXECUTE FUNCTION private.guard_membership_end();
CREATE TRIGGER guard_role_end BEFORE INSERT ON public.account_members FOR EACH ROW EXECUTE FUNCTION private.guard_given_membership('ends_at');
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON public.account_members FOR EACH ROW EXECUTE FUNCTION private.record_change();
CREATE TRIGGER reopen BEFORE UPDATE ON public.account_members FOR EACH ROW WHEN (((old.status = 'ended'::text) AND (new.status = 'ended'::text) AND (old.ends_at IS DISTINCT FROM new.ends_at) AND ((new.ends_at IS NULL) OR (new.ends_at > now())))) EXECUTE FUNCTION private.reopen_membership();
CREATE TRIGGER check_status BEFORE UPDATE ON public.accounts FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION private.check_account_status();
CREATE TRIGGER end_suspension AFTER UPDATE ON public.accounts FOR EACH ROW WHEN (((old.status <> new.status) AND (new.status <> 'suspended'::text))) EXECUTE FUNCTION private.end_account_suspension();
CREATE TRIGGER record_change AFTER INSERT OR DELETE ON public.accounts FOR EACH ROW EXECUTE FUNCTION private.record_change();
CREATE TRIGGER record_update AFTER UPDATE ON public.accounts FOR EACH ROW WHEN (((pg_trigger_depth() = 0) OR ((old.active_members = new.active_members) AND (NOT (old.contact_text IS DISTINCT FROM new.contact_text))))) EXECUTE FUNCTION private.record_change();
CREATE TRIGGER stamp BEFORE UPDATE ON public.accounts FOR EACH ROW WHEN ((((pg_trigger_depth() = 0) OR ((old.active_members = new.active_members) AND (NOT (old.contact_text IS DISTINCT FROM new.contact_text)))) AND (NOT (old.created_by IS DISTINCT FROM new.created_by)) AND (NOT (old.updated_by IS DISTINCT FROM new.updated_by)))) EXECUTE FUNCTION private.stamp_account();
CREATE TRIGGER keep_single BEFORE INSERT ON public.notification_settings FOR EACH ROW EXECUTE FUNCTION private.keep_single_settings();
CREATE TRIGGER record_change AFTER INSERT OR DELETE ON public.notification_settings FOR EACH ROW EXECUTE FUNCTION private.record_change();
CREATE TRIGGER record_update AFTER UPDATE ON public.notification_settings FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION private.record_change();
CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON public.notification_settings FOR EACH ROW EXECUTE FUNCTION private.stamp_notification_settings();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.record_change();
CREATE TRIGGER rename_administrator AFTER UPDATE OF full_name ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.rename_administrator();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER insert_invitation INSTEAD OF INSERT ON public.user_invitations FOR EACH ROW EXECUTE FUNCTION private.insert_invitation();
CREATE TRIGGER reject_change INSTEAD OF DELETE OR UPDATE ON public.user_invitations FOR EACH ROW EXECUTE FUNCTION private.reject_invitation_change();
CREATE TRIGGER guard_end BEFORE INSERT OR UPDATE ON public.user_roles FOR EACH ROW EXECUTE FUNCTION private.guard_role_end();
CREATE TRIGGER guard_seniority BEFORE INSERT OR DELETE OR UPDATE ON public.user_roles FOR EACH ROW EXECUTE FUNCTION private.guard_role_seniority();
CREATE TRIGGER keep_last_platform_admin BEFORE DELETE OR UPDATE ON public.user_roles FOR EACH ROW WHEN ((old.role = 'platform_admin'::public.app_role)) EXECUTE FUNCTION private.keep_last_platform_admin();
CREATE TRIGGER keep_seniority AFTER DELETE ON public.user_roles FOR EACH ROW WHEN ((old.role = 'platform_admin'::public.app_role)) EXECUTE FUNCTION private.keep_seniority();
CREATE TRIGGER reactivate_invitation AFTER UPDATE ON public.user_roles FOR EACH ROW WHEN (((new.ends_at IS NULL) OR (new.ends_at > now()))) EXECUTE FUNCTION private.reactivate_invitation();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON public.user_roles FOR EACH ROW EXECUTE FUNCTION private.record_change();

-- Row level security
alter table auth.audit_log_entries enable and force;
alter table auth.flow_state enable and force;
alter table auth.identities enable and force;
alter table auth.mfa_amr_claims enable and force;
alter table auth.mfa_challenges enable and force;
alter table auth.mfa_factors enable and force;
alter table auth.one_time_tokens enable and force;
alter table auth.rate_limits enable and force;
alter table auth.recovery_code_sets enable and force;
alter table auth.recovery_codes enable and force;
alter table auth.service_secrets enable and force;
alter table auth.sessions enable and force;
alter table auth.users enable and force;
alter table auth.webauthn_challenges enable and force;
alter table auth.webauthn_credentials enable and force;
alter table private.account_imports enable and force;
alter table private.account_suspensions enable and force;
alter table private.audit_checkpoints enable and force;
alter table private.audit_log enable and force;
alter table private.audit_reports enable and force;
alter table private.audit_seals enable and force;
alter table private.backup_state enable and force;
alter table private.deliveries enable and force;
alter table private.demonstration enable and force;
alter table private.former_administrators enable and force;
alter table private.handover_visits enable and force;
alter table private.imported_accounts enable and force;
alter table private.invitation_openings enable and force;
alter table private.invitation_tokens enable and force;
alter table private.invitations enable and force;
alter table private.member_invitation_tokens enable and force;
alter table private.member_invitations enable and force;
alter table private.request_keys enable and force;
alter table private.second_factor_requirement enable and force;
alter table private.service_settings enable and force;
alter table public.account_contacts enable and force;
alter table public.account_members enable and force;
alter table public.accounts enable and force;
alter table public.notification_settings enable and force;
alter table public.profiles enable and force;
alter table public.user_roles enable and force;

-- Policies
create policy service on auth.audit_log_entries for all to owner using (true) with check (true);
create policy service on auth.flow_state for all to owner using (true) with check (true);
create policy service on auth.identities for all to owner using (true) with check (true);
create policy service on auth.mfa_amr_claims for all to owner using (true) with check (true);
create policy service on auth.mfa_challenges for all to owner using (true) with check (true);
create policy service on auth.mfa_factors for all to owner using (true) with check (true);
create policy service on auth.one_time_tokens for all to owner using (true) with check (true);
create policy service on auth.rate_limits for all to owner using (true) with check (true);
create policy service on auth.recovery_code_sets for all to owner using (true) with check (true);
create policy service on auth.recovery_codes for all to owner using (true) with check (true);
create policy service on auth.service_secrets for all to owner using (true) with check (true);
create policy service on auth.sessions for all to owner using (true) with check (true);
create policy service on auth.users for all to owner using (true) with check (true);
create policy service on auth.webauthn_challenges for all to owner using (true) with check (true);
create policy service on auth.webauthn_credentials for all to owner using (true) with check (true);
create policy service on private.account_imports for all to owner using (true) with check (true);
create policy service on private.account_suspensions for all to owner using (true) with check (true);
create policy service_reads on private.audit_checkpoints for select to owner using (true);
create policy service_writes on private.audit_checkpoints for insert to owner with check (true);
create policy service_expires on private.audit_log for delete to owner using (((at < (now() - '1 day'::interval)) AND (EXISTS ( SELECT
   FROM private.audit_seals s
  WHERE ((s.entry_id = audit_log.id) AND (s."position" <= ( SELECT max(c."position") AS max
           FROM private.audit_checkpoints c)))))));
create policy service_reads on private.audit_log for select to owner using (true);
create policy service_writes on private.audit_log for insert to owner with check (true);
create policy service_reads on private.audit_reports for select to owner using (true);
create policy service_writes on private.audit_reports for insert to owner with check (true);
create policy service_cuts on private.audit_seals for delete to owner using (("position" <= ( SELECT max(c."position") AS max
   FROM private.audit_checkpoints c)));
create policy service_reads on private.audit_seals for select to owner using (true);
create policy service_writes on private.audit_seals for insert to owner with check (true);
create policy service on private.backup_state for all to owner using (true) with check (true);
create policy service on private.deliveries for all to owner using (true) with check (true);
create policy service on private.demonstration for all to owner using (true) with check (true);
create policy service on private.former_administrators for all to owner using (true) with check (true);
create policy service on private.handover_visits for all to owner using (true) with check (true);
create policy service on private.imported_accounts for all to owner using (true) with check (true);
create policy service on private.invitation_openings for all to owner using (true) with check (true);
create policy service on private.invitation_tokens for all to owner using (true) with check (true);
create policy platform_admins_read on private.invitations for select to authenticated using (( SELECT private.is_platform_admin() AS is_platform_admin));
create policy service on private.invitations for all to owner, service_role using (true) with check (true);
create policy service on private.member_invitation_tokens for all to owner using (true) with check (true);
create policy service on private.member_invitations for all to owner using (true) with check (true);
create policy service on private.request_keys for all to owner using (true) with check (true);
create policy service on private.second_factor_requirement for all to owner using (true) with check (true);
create policy service on private.service_settings for all to owner using (true) with check (true);
create policy read_contacts on public.account_contacts for select to authenticated using ((( SELECT private.is_platform_admin() AS is_platform_admin) OR (account_id IN ( SELECT private.own_account_ids() AS own_account_ids))));
create policy service on public.account_contacts for all to owner, service_role using (true) with check (true);
create policy own_memberships on public.account_members for select to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) AND ((ends_at IS NULL) OR (ends_at > now()))));
create policy service on public.account_members for all to owner, service_role using (true) with check (true);
create policy administrators_read_accounts on public.accounts for select to platform_administrator using (true);
create policy create_accounts on public.accounts for insert to authenticated with check ((( SELECT private.is_platform_admin() AS is_platform_admin) AND (created_by = ( SELECT auth.uid() AS uid)) AND (status = 'active'::text)));
create policy read_accounts on public.accounts for select to authenticated using ((( SELECT private.is_platform_admin() AS is_platform_admin) OR (id IN ( SELECT private.own_account_ids() AS own_account_ids))));
create policy service on public.accounts for all to owner, service_role using (true) with check (true);
create policy update_accounts on public.accounts for update to authenticated using (true) with check (( SELECT private.is_platform_admin() AS is_platform_admin));
create policy create_settings on public.notification_settings for insert to authenticated with check (( SELECT private.is_platform_admin() AS is_platform_admin));
create policy read_settings on public.notification_settings for select to authenticated using (true);
create policy service on public.notification_settings for all to owner, service_role using (true) with check (true);
create policy update_settings on public.notification_settings for update to authenticated using (true) with check (( SELECT private.is_platform_admin() AS is_platform_admin));
create policy own_profile on public.profiles for select to authenticated using ((id = ( SELECT auth.uid() AS uid)));
create policy service on public.profiles for all to owner, service_role using (true) with check (true);
create policy own_roles on public.user_roles for select to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) AND ((ends_at IS NULL) OR (ends_at > now()))));
create policy service on public.user_roles for all to owner, service_role using (true) with check (true);

-- Grants
grant delete on public.account_contacts to service_role;
grant delete on public.account_members to service_role;
grant delete on public.accounts to service_role;
grant delete on public.notification_settings to service_role;
grant delete on public.profiles to service_role;
grant delete on public.user_roles to service_role;
grant execute on function auth.email() to anon;
grant execute on function auth.email() to authenticated;
grant execute on function auth.email() to service_role;
grant execute on function auth.jwt() to anon;
grant execute on function auth.jwt() to authenticated;
grant execute on function auth.jwt() to service_role;
grant execute on function auth.role() to anon;
grant execute on function auth.role() to authenticated;
grant execute on function auth.role() to service_role;
grant execute on function auth.uid() to anon;
grant execute on function auth.uid() to authenticated;
grant execute on function auth.uid() to service_role;
grant execute on function private.comparable_name(text) to authenticated;
grant execute on function private.comparable_name(text) to service_role;
grant execute on function private.distinctive_name(text) to authenticated;
grant execute on function private.distinctive_name(text) to service_role;
grant execute on function private.distinctive_words(text) to authenticated;
grant execute on function private.distinctive_words(text) to service_role;
grant execute on function private.fold_text(text) to authenticated;
grant execute on function private.fold_text(text) to service_role;
grant execute on function private.fold_unicode(text) to authenticated;
grant execute on function private.fold_unicode(text) to service_role;
grant execute on function private.is_platform_admin() to authenticated;
grant execute on function private.is_platform_admin() to service_role;
grant execute on function private.keep_answer(text,uuid,smallint,text,text) to authenticated;
grant execute on function private.keep_answer(text,uuid,smallint,text,text) to service_role;
grant execute on function private.own_account_ids() to authenticated;
grant execute on function private.own_account_ids() to service_role;
grant execute on function private.spellings(text) to authenticated;
grant execute on function private.spellings(text) to service_role;
grant execute on function private.unicode_spellings(text) to authenticated;
grant execute on function private.unicode_spellings(text) to service_role;
grant execute on function public.name_key(public.accounts) to authenticated;
grant execute on function public.name_key(public.accounts) to service_role;
grant execute on function public.place_text(public.accounts) to authenticated;
grant execute on function public.place_text(public.accounts) to service_role;
grant execute on function public.search_text(public.accounts) to authenticated;
grant execute on function public.search_text(public.accounts) to service_role;
grant insert (account_type) on public.accounts to platform_administrator;
grant insert (address) on public.accounts to platform_administrator;
grant insert (city) on public.accounts to platform_administrator;
grant insert (created_by) on public.accounts to platform_administrator;
grant insert (name) on public.accounts to platform_administrator;
grant insert (sender_email) on public.notification_settings to platform_administrator;
grant insert (sender_name) on public.notification_settings to platform_administrator;
grant insert (slug) on public.accounts to platform_administrator;
grant insert (state) on public.accounts to platform_administrator;
grant insert (status) on public.accounts to platform_administrator;
grant insert (zip_code) on public.accounts to platform_administrator;
grant insert on public.account_contacts to service_role;
grant insert on public.account_members to service_role;
grant insert on public.accounts to service_role;
grant insert on public.notification_settings to service_role;
grant insert on public.profiles to service_role;
grant insert on public.user_roles to service_role;
grant select (email) on private.invitations to authenticated;
grant select (email) on private.invitations to service_role;
grant select (expires_at) on private.invitations to authenticated;
grant select (expires_at) on private.invitations to service_role;
grant select (full_name) on private.invitations to authenticated;
grant select (full_name) on private.invitations to service_role;
grant select (id) on private.invitations to authenticated;
grant select (id) on private.invitations to service_role;
grant select (invited_at) on private.invitations to authenticated;
grant select (invited_at) on private.invitations to service_role;
grant select (last_sent_at) on private.invitations to authenticated;
grant select (last_sent_at) on private.invitations to service_role;
grant select (send_count) on private.invitations to authenticated;
grant select (send_count) on private.invitations to service_role;
grant select (status) on private.invitations to authenticated;
grant select (status) on private.invitations to service_role;
grant select on public.account_contacts to authenticated;
grant select on public.account_contacts to service_role;
grant select on public.account_members to authenticated;
grant select on public.account_members to service_role;
grant select on public.accounts to authenticated;
grant select on public.accounts to service_role;
grant select on public.notification_settings to authenticated;
grant select on public.notification_settings to service_role;
grant select on public.profiles to authenticated;
grant select on public.profiles to service_role;
grant select on public.user_invitations to authenticated;
grant select on public.user_invitations to service_role;
grant select on public.user_roles to authenticated;
grant select on public.user_roles to service_role;
grant update (account_type) on public.accounts to platform_administrator;
grant update (address) on public.accounts to platform_administrator;
grant update (city) on public.accounts to platform_administrator;
grant update (name) on public.accounts to platform_administrator;
grant update (sender_email) on public.notification_settings to platform_administrator;
grant update (sender_name) on public.notification_settings to platform_administrator;
grant update (slug) on public.accounts to platform_administrator;
grant update (state) on public.accounts to platform_administrator;
grant update (zip_code) on public.accounts to platform_administrator;
grant update on public.account_contacts to service_role;
grant update on public.account_members to service_role;
grant update on public.accounts to service_role;
grant update on public.notification_settings to service_role;
grant update on public.profiles to service_role;
grant update on public.user_roles to service_role;
grant usage on schema auth to anon;
grant usage on schema auth to authenticated;
grant usage on schema auth to service_role;
grant usage on schema private to authenticated;
grant usage on schema private to service_role;
grant usage on schema public to anon;
grant usage on schema public to authenticated;
grant usage on schema public to service_role;
