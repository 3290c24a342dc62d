-- One row per day (UTC) on which the service verified the whole audit chain. The row keeps several replicas from sending the
-- head of the chain more than once a day.
create table private.audit_reports (
  day date not null,
  at timestamptz not null,
  position bigint not null,
  -- The first mismatch; null if the whole chain is valid.
  problem text,
  -- True if an email was sent to the administrators.
  mailed boolean not null,
  constraint audit_reports_pkey primary key (day),
  constraint audit_reports_problem_check check (char_length(problem) <= 500)
);

alter table private.audit_reports enable row level security;
alter table private.audit_reports force row level security;

revoke all on private.audit_reports from public, anon, authenticated, service_role;

-- No policy permits an update or a deletion.
create policy service_reads on private.audit_reports for select to current_user using (true);
create policy service_writes on private.audit_reports for insert to current_user with check (true);
