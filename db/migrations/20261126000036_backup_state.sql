-- The state of the backups that the service writes by BACKUP_SCHEDULE, which all replicas share: at most one row. A backup does
-- not contain it, because a restored instance has its own backups.
create table private.backup_state (
  id boolean not null default true,
  -- BACKUP_SCHEDULE from which next_at was computed.
  schedule text not null,
  next_at timestamptz not null,
  -- Until then one replica writes the backup of next_at. It extends the lease while it writes.
  lease_until timestamptz,
  lease_id uuid,
  -- Attempts at the backup of next_at, also of processes that were killed.
  tries integer not null default 0,
  -- End of the last backup, complete or failed. Null before the first one.
  finished_at timestamptz,
  -- Why it failed; null if it is complete.
  problem text,
  -- Data, file name and size of the last complete backup.
  completed_at timestamptz,
  file text,
  bytes bigint,
  -- Time of the last email about a failed or overdue backup.
  reported_at timestamptz,
  constraint backup_state_pkey primary key (id),
  constraint backup_state_id_check check (id),
  constraint backup_state_schedule_check check (char_length(schedule) between 1 and 200),
  constraint backup_state_problem_check check (char_length(problem) <= 500),
  constraint backup_state_file_check check (char_length(file) between 1 and 255),
  constraint backup_state_check check ((completed_at is null) = (file is null) and (file is null) = (bytes is null))
);

alter table private.backup_state enable row level security;
alter table private.backup_state force row level security;
revoke all on private.backup_state from public, anon, authenticated, service_role;
create policy service on private.backup_state to current_user using (true) with check (true);
