-- The hash chain over the audit log. The service seals committed entries in their order, after the writes that caused
-- them. The hash of a position covers the hash of the position before it and the entry.
create table private.audit_seals (
  position bigint not null,
  -- Not a foreign key: a removed entry must not remove its seal.
  entry_id bigint not null,
  hash bytea not null,
  sealed_at timestamptz not null default now(),
  -- New seals almost always have the highest keys (an entry of a long transaction has a lower one), so both indexes grow at
  -- their end. The default leaves a tenth of each page free for keys between others.
  constraint audit_seals_pkey primary key (position) with (fillfactor = 100),
  constraint audit_seals_entry_id_key unique (entry_id) with (fillfactor = 100),
  constraint audit_seals_position_check check (position > 0),
  constraint audit_seals_hash_check check (octet_length(hash) = 32)
);

alter table private.audit_seals enable row level security;
alter table private.audit_seals force row level security;

revoke all on private.audit_seals from public, anon, authenticated, service_role;

-- No policy permits an update. Seals above the last checkpoint cannot be deleted.
create policy service_reads on private.audit_seals for select to current_user using (true);
create policy service_writes on private.audit_seals for insert to current_user with check (true);
create policy service_cuts on private.audit_seals for delete to current_user
  using (position <= (select max(c.position) from private.audit_checkpoints c));
