-- Link tokens. An invitation can have several; each is stored as the SHA-256 of a 256-bit token.
create table private.invitation_tokens (
  token_hash bytea not null,
  invitation_id uuid not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint invitation_tokens_pkey primary key (token_hash),
  constraint invitation_tokens_invitation_id_fkey
    foreign key (invitation_id) references private.invitations on delete cascade,
  constraint invitation_tokens_token_hash_check check (octet_length(token_hash) = 32)
);

create index invitation_tokens_invitation_id_idx on private.invitation_tokens (invitation_id);

alter table private.invitation_tokens enable row level security;
alter table private.invitation_tokens force row level security;

revoke all on private.invitation_tokens from public, anon, authenticated, service_role;

create policy service on private.invitation_tokens to current_user using (true) with check (true);
