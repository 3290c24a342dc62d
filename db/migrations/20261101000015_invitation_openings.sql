-- When the link of an invitation was opened first: by a browser, and by what gives itself away as a
-- program. A table of its own, because the sessions that an opened link makes come and go, and because
-- checking a link must never wait for, or hold up, a change of the invitation itself.
create table private.invitation_openings (
  invitation_id uuid not null references private.invitations on delete cascade,
  by_program boolean not null,
  opened_at timestamptz not null,
  primary key (invitation_id, by_program)
);

-- What the sessions of today still tell of earlier openings.
insert into private.invitation_openings (invitation_id, by_program, opened_at)
  select i.id, false, min(s.created_at)
  from auth.sessions s join private.invitations i on s.tag = 'invitation:' || i.id::text
  group by i.id;

alter table private.invitation_openings enable row level security;
alter table private.invitation_openings force row level security;
revoke all on private.invitation_openings from public, anon, authenticated, service_role;
create policy service on private.invitation_openings to current_user using (true) with check (true);
