-- The time up to which each administrator has seen the changes of the handover page.
create table private.handover_visits (
  user_id uuid not null,
  -- Start of the changes of the current visit: the end of the previous visit.
  since timestamptz not null,
  -- End of the changes that were shown.
  seen_until timestamptz not null,
  visited_at timestamptz not null,
  constraint handover_visits_pkey primary key (user_id),
  constraint handover_visits_user_id_fkey foreign key (user_id) references auth.users on delete cascade
);

alter table private.handover_visits enable row level security;
alter table private.handover_visits force row level security;

revoke all on private.handover_visits from public, anon, authenticated, service_role;

create policy service on private.handover_visits to current_user using (true) with check (true);
