-- Positions of the audit chain (private.audit_seals) up to which the retention has removed entries, each signed with the
-- key of the instance.
create table private.audit_checkpoints (
  position bigint not null,
  hash bytea not null,
  at timestamptz not null,
  signature text not null,
  constraint audit_checkpoints_pkey primary key (position),
  constraint audit_checkpoints_hash_check check (octet_length(hash) = 32),
  constraint audit_checkpoints_signature_check check (char_length(signature) = 86)
);

alter table private.audit_checkpoints enable row level security;
alter table private.audit_checkpoints force row level security;

revoke all on private.audit_checkpoints from public, anon, authenticated, service_role;

-- No policy permits an update or a deletion.
create policy service_reads on private.audit_checkpoints for select to current_user using (true);
create policy service_writes on private.audit_checkpoints for insert to current_user with check (true);
