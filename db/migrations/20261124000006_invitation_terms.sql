-- The note and the expiry that an administrator chooses for the next email of an invitation, and who caused each email.

alter table private.invitations
  -- Plain text with line breaks, shown in the email.
  add column note text,
  -- The chosen expiry: a duration that starts with each email, or a time. Neither: the default of the service.
  add column term_seconds integer,
  add column term_until timestamptz,
  add constraint invitations_note_check check (
    char_length(note) between 1 and 500 and replace(note, e'\n', '') !~ '[[:cntrl:]]'
  ),
  add constraint invitations_note_turns_no_text check (note !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  -- From one hour to thirty days, as in packages/contract/src/invitation-terms.ts.
  add constraint invitations_term_seconds_check check (term_seconds between 3600 and 2592000),
  add constraint invitations_term_check check (term_seconds is null or term_until is null);

alter table private.deliveries
  -- administrator: in the console. command_line: the operator. recipient: the user requested the email.
  add column inviter_kind text,
  -- The inviter as the email names them. Not a reference, because the entry must outlive the user.
  add column inviter text,
  add constraint deliveries_inviter_kind_check check (inviter_kind in ('administrator', 'command_line', 'recipient')),
  add constraint deliveries_inviter_check check (char_length(inviter) between 1 and 255);

-- Returns when an invitation expires whose email is sent at the time `at`. A chosen time less than an hour ahead is
-- replaced by the default, because nobody could use the link.
create function private.invitation_expiry(
  term_seconds integer, term_until timestamptz, default_seconds integer, at timestamptz
) returns timestamptz
  language sql stable
  set search_path = ''
as $$
  select case
    when term_until >= at + interval '1 hour' then term_until
    else at + coalesce(term_seconds, default_seconds) * interval '1 second'
  end
$$;
revoke execute on function private.invitation_expiry(integer, timestamptz, integer, timestamptz) from public;
