-- The hash chain over the audit log. The service seals committed entries in their order, after the writes that caused
-- them. The hash of a position covers the hash of the position before it and the entry.
create table private.audit_seals (
  position bigint not null,
  -- Not a foreign key: a removed entry must not remove its seal.
  entry_id bigint not null,
  hash bytea not null,
  sealed_at timestamptz not null default now(),
  constraint audit_seals_pkey primary key (position),
  constraint audit_seals_entry_id_key unique (entry_id),
  constraint audit_seals_position_check check (position > 0),
  constraint audit_seals_hash_check check (octet_length(hash) = 32)
);

-- Positions up to which the retention has removed entries, each signed with the key of the instance.
create table private.audit_checkpoints (
  position bigint not null,
  hash bytea not null,
  at timestamptz not null,
  signature text not null,
  constraint audit_checkpoints_pkey primary key (position),
  constraint audit_checkpoints_hash_check check (octet_length(hash) = 32),
  constraint audit_checkpoints_signature_check check (char_length(signature) = 86)
);

-- One row per day (UTC) on which the service verified the whole chain. It is the reason why several replicas send the
-- head of the chain only once a day.
create table private.audit_reports (
  day date not null,
  at timestamptz not null,
  position bigint not null,
  -- What does not fit; null if the whole chain fits.
  problem text,
  -- True if the administrators were sent an email.
  mailed boolean not null,
  constraint audit_reports_pkey primary key (day),
  constraint audit_reports_problem_check check (char_length(problem) <= 500)
);

alter table private.audit_seals enable row level security;
alter table private.audit_seals force row level security;
alter table private.audit_checkpoints enable row level security;
alter table private.audit_checkpoints force row level security;
alter table private.audit_reports enable row level security;
alter table private.audit_reports force row level security;

revoke all on private.audit_seals, private.audit_checkpoints, private.audit_reports
  from public, anon, authenticated, service_role;

-- No policy permits an update. Seals and entries above the last checkpoint cannot be deleted.
create policy service_reads on private.audit_seals for select to current_user using (true);
create policy service_writes on private.audit_seals for insert to current_user with check (true);
create policy service_cuts on private.audit_seals for delete to current_user
  using (position <= (select max(c.position) from private.audit_checkpoints c));
create policy service_reads on private.audit_checkpoints for select to current_user using (true);
create policy service_writes on private.audit_checkpoints for insert to current_user with check (true);
create policy service_reads on private.audit_reports for select to current_user using (true);
create policy service_writes on private.audit_reports for insert to current_user with check (true);

drop policy service_expires on private.audit_log;
create policy service_expires on private.audit_log for delete to current_user
  using (
    at < now() - interval '1 day'
    and exists (
      select from private.audit_seals s
      where s.entry_id = audit_log.id and s.position <= (select max(c.position) from private.audit_checkpoints c)
    )
  );
