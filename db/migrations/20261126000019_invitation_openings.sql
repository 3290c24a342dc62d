-- The first opening of the links of an invitation, by a browser and by an email scanner. Not columns of the invitation:
-- a check of a link must not wait for a change of the invitation, nor delay it.
create table private.invitation_openings (
  invitation_id uuid not null,
  by_program boolean not null,
  opened_at timestamptz not null,
  constraint invitation_openings_pkey primary key (invitation_id, by_program),
  constraint invitation_openings_invitation_id_fkey
    foreign key (invitation_id) references private.invitations on delete cascade
);

alter table private.invitation_openings enable row level security;
alter table private.invitation_openings force row level security;

revoke all on private.invitation_openings from public, anon, authenticated, service_role;

create policy service on private.invitation_openings to current_user using (true) with check (true);
