-- Every outgoing mail: who gets it, what became of it, in the mail server's own words. What is secret
-- in a mail (link, code) waits sealed and is dropped as soon as the outcome is known.
create table private.deliveries (
  id uuid primary key,
  kind text not null check (kind in (
    'invitation', 'recovery', 'confirmation', 'magic_link', 'email_change', 'reauthentication',
    'password_changed', 'test'
  )),
  recipient text not null check (char_length(recipient) between 3 and 255),
  user_id uuid references auth.users on delete set null,
  invitation_id uuid references private.invitations on delete set null,
  status text not null default 'waiting' check (status in ('waiting', 'handed_over', 'refused', 'timed_out')),
  -- Somebody waits for the outcome and hears it; such a mail is never tried again behind their back.
  attended boolean not null default false,
  -- Written for an unknown address, so that known and unknown ones cost the same; never sent.
  decoy boolean not null default false,
  sealed bytea,
  message_id text,
  answer text,
  tries integer not null default 0,
  -- Not before this time.
  due_at timestamptz not null,
  -- A mail past this time helps nobody: its link no longer works.
  expires_at timestamptz,
  -- Whoever sends it now has so long to report; afterwards somebody else may try.
  lease_until timestamptz,
  attempted_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  check (status = 'waiting' or sealed is null)
);
create index deliveries_due_idx on private.deliveries (due_at) where status = 'waiting';
create index deliveries_attempted_at_idx on private.deliveries (attempted_at) where attempted_at is not null;
create index deliveries_finished_at_idx on private.deliveries (finished_at) where finished_at is not null;
create index deliveries_invitation_id_idx on private.deliveries (invitation_id, created_at desc);
create index deliveries_user_id_idx on private.deliveries (user_id);

alter table private.deliveries enable row level security;
alter table private.deliveries force row level security;
revoke all on private.deliveries from public, anon, authenticated, service_role;
create policy service on private.deliveries to current_user using (true) with check (true);
