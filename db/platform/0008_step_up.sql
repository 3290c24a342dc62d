-- Step-up: when the user last proved who they are in this session, beyond signing in; and the first refresh
-- token that counts. Tokens from before a second factor raised the session may be in other hands.
alter table auth.sessions
  add column reauthenticated_at timestamptz,
  add column refresh_token_floor bigint not null default 0;
