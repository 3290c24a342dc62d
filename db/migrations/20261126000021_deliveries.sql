-- The outbox and delivery log: every outgoing email, its recipient and its outcome. The secret part of an email (link,
-- code) is stored encrypted and deleted as soon as the outcome is known.
create table private.deliveries (
  id uuid not null,
  kind text not null,
  recipient text not null,
  user_id uuid,
  invitation_id uuid,
  -- waiting: queued. handed_over: accepted by the mail server. captured: stored in the local mailbox, not delivered.
  -- refused: rejected.
  status text not null default 'waiting',
  -- A user waits for the outcome and sees it, so the email is not retried later.
  attended boolean not null default false,
  -- Written for an unknown email address, so that the response takes the same time; never sent.
  decoy boolean not null default false,
  sealed bytea,
  message_id text,
  -- Response of the mail server.
  answer text,
  tries integer not null default 0,
  -- Earliest time of the next attempt.
  due_at timestamptz not null,
  -- The link in the email is invalid from then on, so the email is no longer sent.
  expires_at timestamptz,
  -- Until then one worker has the claim on this email.
  lease_until timestamptz,
  attempted_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  -- Who caused the email of an invitation. administrator: in the console. command_line: the operator. recipient: the user
  -- requested the email.
  inviter_kind text,
  -- The inviter as the email names them. Not a reference, because the entry must outlive the user.
  inviter text,
  -- The reserve of the hourly quota that the email uses: `invitation` for those of administrators and the command line,
  -- `recovery` for the recovery of administrators, `notice` for security notices, which a user gets once in ten minutes.
  reserve text not null default 'none',
  constraint deliveries_pkey primary key (id),
  constraint deliveries_user_id_fkey foreign key (user_id) references auth.users on delete set null,
  constraint deliveries_invitation_id_fkey
    foreign key (invitation_id) references private.invitations on delete set null,
  constraint deliveries_kind_check check (kind in (
    'invitation', 'recovery', 'confirmation', 'magic_link', 'email_change', 'reauthentication',
    'password_changed', 'email_changed', 'phone_changed', 'factor_added', 'factor_removed', 'factors_reset',
    'recovery_code_used', 'passkey_added', 'passkey_removed', 'identity_linked', 'identity_unlinked',
    'sign_in_failed', 'administrator_invited', 'audit_head', 'test'
  )),
  constraint deliveries_recipient_check check (char_length(recipient) between 3 and 255),
  constraint deliveries_status_check check (status in ('waiting', 'handed_over', 'captured', 'refused', 'timed_out')),
  constraint deliveries_check check (status = 'waiting' or sealed is null),
  constraint deliveries_inviter_kind_check check (inviter_kind in ('administrator', 'command_line', 'recipient')),
  constraint deliveries_inviter_check check (char_length(inviter) between 1 and 255),
  constraint deliveries_reserve_check check (reserve in ('invitation', 'recovery', 'notice', 'none'))
);

create index deliveries_due_idx on private.deliveries (due_at) where status = 'waiting';
create index deliveries_attempted_at_idx on private.deliveries (attempted_at) where attempted_at is not null;
create index deliveries_finished_at_idx on private.deliveries (finished_at) where finished_at is not null;
create index deliveries_invitation_id_idx on private.deliveries (invitation_id, created_at desc);
create index deliveries_user_id_idx on private.deliveries (user_id);
-- The oldest emails of each reserve, and the last notices to a recipient.
create index deliveries_reserve_idx on private.deliveries (reserve, decoy, due_at, id)
  where status = 'waiting' and not attended;
create index deliveries_notice_idx on private.deliveries (recipient, kind, attempted_at) where reserve = 'notice';

alter table private.deliveries enable row level security;
alter table private.deliveries force row level security;

revoke all on private.deliveries from public, anon, authenticated, service_role;

create policy service on private.deliveries to current_user using (true) with check (true);
