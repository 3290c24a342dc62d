-- One row per day (UTC) on which the service verified the whole audit chain. It is the reason why several replicas send the
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

alter table private.audit_reports enable row level security;
alter table private.audit_reports force row level security;

revoke all on private.audit_reports from public, anon, authenticated, service_role;

-- No policy permits an update or a deletion.
create policy service_reads on private.audit_reports for select to current_user using (true);
create policy service_writes on private.audit_reports for insert to current_user with check (true);
