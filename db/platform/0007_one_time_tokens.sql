-- One-time tokens of emails and text messages, and flow states of OAuth and PKCE.
-- Only hashes are stored.
create table auth.one_time_tokens (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  token_type auth.one_time_token_type not null,
  -- SHA-256 of the 256-bit link token.
  token_hash bytea not null,
  -- SHA-256 of the short code with its email address or phone number.
  code_hash bytea,
  relates_to text not null,
  -- Failed attempts with the short code. The fifth invalidates it.
  tries smallint not null default 0,
  flow_state_id uuid,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint one_time_tokens_pkey primary key (id),
  constraint one_time_tokens_user_id_fkey foreign key (user_id) references auth.users on delete cascade
);

create unique index one_time_tokens_hash_key on auth.one_time_tokens (token_hash);
-- A user has one token per type. Only recovery links and magic links can coexist: any client can request one, and must not
-- invalidate that of the owner.
create unique index one_time_tokens_user_key on auth.one_time_tokens (user_id, token_type)
  where token_type not in ('recovery', 'magic_link');
create index one_time_tokens_user_idx on auth.one_time_tokens (user_id);

alter table auth.one_time_tokens enable row level security;
alter table auth.one_time_tokens force row level security;

create policy service on auth.one_time_tokens to current_user using (true) with check (true);

-- A sign-in in progress at a provider or by email. The id is the OAuth state.
create table auth.flow_state (
  id uuid not null default gen_random_uuid(),
  user_id uuid,
  -- SHA-256 of the authorization code of the client; null until the flow has a user.
  auth_code_hash bytea,
  auth_code_issued_at timestamptz,
  code_challenge text,
  code_challenge_method text,
  failed_tries smallint not null default 0,
  authentication_method text not null,
  provider text,
  redirect_to text,
  -- Encrypted: PKCE verifier and nonce of the service towards the provider, and the tokens of the provider.
  sealed bytea,
  linking_target_id uuid,
  invite_token_hash bytea,
  -- SHA-256 of the one-time token that the browser must send with its next request: to continue to the provider, or to
  -- confirm the linking of an identity. Null while the response of the provider is pending.
  browser_token_hash bytea,
  -- The session that the authorization code created. A second use of the code revokes it.
  session_id uuid,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint flow_state_pkey primary key (id),
  constraint flow_state_auth_code_hash_key unique (auth_code_hash),
  constraint flow_state_browser_token_hash_key unique (browser_token_hash),
  constraint flow_state_user_id_fkey foreign key (user_id) references auth.users on delete cascade,
  constraint flow_state_linking_target_id_fkey foreign key (linking_target_id) references auth.users on delete cascade,
  constraint flow_state_code_challenge_method_check check (code_challenge_method in ('s256', 'plain'))
);

create index flow_state_expires_at_idx on auth.flow_state (expires_at);
-- Every revocation of sessions deletes the flows of the user, and clients without an account can fill the table through
-- /authorize. The flows of such clients have no user, so the indexes are partial.
create index flow_state_user_id_idx on auth.flow_state (user_id) where user_id is not null;
create index flow_state_linking_target_id_idx on auth.flow_state (linking_target_id) where linking_target_id is not null;

alter table auth.flow_state enable row level security;
alter table auth.flow_state force row level security;

create policy service on auth.flow_state to current_user using (true) with check (true);
