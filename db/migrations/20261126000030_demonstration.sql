-- One row if `lanternrock demo` has added invented data, which every screen then says. No command removes it: an instance with
-- invented data stays a demonstration.
create table private.demonstration (
  id boolean not null default true,
  filled_at timestamptz not null default now(),
  constraint demonstration_pkey primary key (id),
  constraint demonstration_id_check check (id)
);

alter table private.demonstration enable row level security;
alter table private.demonstration force row level security;
revoke all on private.demonstration from public, anon, authenticated, service_role;
create policy service on private.demonstration to current_user using (true) with check (true);
