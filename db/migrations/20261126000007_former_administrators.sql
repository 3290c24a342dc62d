-- Since when users who lost their role had been administrators, for private.require_seniority. A restored role counts as new,
-- but its owner as an earlier administrator.
create table private.former_administrators (
  user_id uuid not null,
  since timestamptz not null,
  constraint former_administrators_pkey primary key (user_id),
  constraint former_administrators_user_id_fkey foreign key (user_id) references auth.users on delete cascade
);

alter table private.former_administrators enable row level security;
alter table private.former_administrators force row level security;

revoke all on private.former_administrators from public, anon, authenticated, service_role;

create policy service on private.former_administrators to current_user using (true) with check (true);
