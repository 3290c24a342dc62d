-- Invitations of administrators. Requests read the view public.user_invitations, which shows a pending invitation past its
-- expiry as expired.
create table private.invitations (
  id uuid not null default gen_random_uuid(),
  -- One row per email address: a further invitation reopens it.
  email text not null,
  -- The name that the inviter typed; after acceptance a copy of the name in the profile.
  full_name text not null,
  user_id uuid,
  invited_by uuid,
  -- Stored: pending, accepted, revoked, removed, ended, or other text. Expired follows from expires_at.
  status text not null default 'pending',
  invited_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz,
  -- Emails that the mail server accepted, and the time of the last one.
  last_sent_at timestamptz,
  send_count integer not null default 0,
  -- The end of the role of the inviter at the time of the invitation, in case the inviter has no role when it is accepted.
  -- After a removal, the end of the removed role, which a restore sets again.
  role_ends_at timestamptz,
  -- The note and the expiry that an administrator chooses for the next email. The note is plain text with line breaks.
  note text,
  -- A duration that starts with each email, or a time. Neither: the default of the service.
  term_seconds integer,
  term_until timestamptz,
  constraint invitations_pkey primary key (id),
  constraint invitations_email_key unique (email),
  constraint invitations_user_id_fkey foreign key (user_id) references auth.users on delete set null,
  constraint invitations_invited_by_fkey foreign key (invited_by) references auth.users on delete set null,
  constraint invitations_email_check check (email = lower(btrim(email)) and char_length(email) <= 255),
  constraint invitations_full_name_check check (
    char_length(full_name) between 2 and 100 and full_name !~ '[[:cntrl:]]'
  ),
  -- The rules of all text fields: see public.profiles.
  constraint invitations_full_name_turns_no_text check (full_name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  constraint invitations_full_name_is_visible check (full_name ~
    '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
    '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
    '\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'),
  constraint invitations_status_check check (char_length(status) between 1 and 50),
  constraint invitations_send_count_check check (send_count >= 0),
  constraint invitations_note_check check (
    char_length(note) between 1 and 500 and replace(note, e'\n', '') !~ '[[:cntrl:]]'
  ),
  constraint invitations_note_turns_no_text check (note !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  -- From one hour to thirty days, as in packages/contract/src/invitation-terms.ts.
  constraint invitations_term_seconds_check check (term_seconds between 3600 and 2592000),
  constraint invitations_term_check check (term_seconds is null or term_until is null)
);

create index invitations_newest_idx on private.invitations (invited_at desc, id desc);
create index invitations_user_id_idx on private.invitations (user_id);

create trigger record_change after insert or update or delete on private.invitations
  for each row execute function private.record_change();

-- Copies a new name in the profile to the accepted invitation of the user, so that the list of administrators shows it.
create function private.rename_administrator() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- A name that is too short for an invitation is not copied.
  update private.invitations i
    set full_name = left(new.full_name, 100)
    where i.user_id = new.id and i.status = 'accepted'
      and char_length(new.full_name) >= 2 and i.full_name <> left(new.full_name, 100);
  return null;
end
$$;
create trigger rename_administrator after update of full_name on public.profiles
  for each row execute function private.rename_administrator();

-- Returns the expiry of an invitation whose email is sent at the time `at`. A chosen time less than an hour ahead is replaced
-- by the default, because the link would expire too soon.
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

-- Accepts the invitation of a user and adds the role. The Auth API calls it in the transaction that sets the password.
-- Returns false if the user has no pending invitation (revoked, expired, or accepted before). A role that has ended is
-- replaced. The inviter grants the role, and it does not outlast that of the inviter.
create function private.accept_invitation(invited_user uuid, invitation uuid default null) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  accepted uuid;
  inviter uuid;
  role_end timestamptz;
begin
  update private.invitations i
    set status = 'accepted', accepted_at = now()
    where i.user_id = invited_user and i.status = 'pending' and i.expires_at > now()
      and i.id = coalesce(invitation, i.id)
    returning i.id, i.invited_by, i.role_ends_at into accepted, inviter, role_end;
  if accepted is null then
    return false;
  end if;
  delete from private.invitation_tokens t where t.invitation_id = accepted;
  delete from public.user_roles r
    where r.user_id = invited_user and r.role = 'platform_admin' and r.ends_at <= now();
  -- The role of the inviter may have another end date by now, or no longer exist.
  select case when r.user_id is null then role_end else r.ends_at end into role_end
    from (select) invitation
      left join public.user_roles r on r.user_id = inviter and r.role = 'platform_admin';
  insert into public.user_roles (user_id, role, granted_by, ends_at)
    values (invited_user, 'platform_admin', inviter, role_end)
    on conflict (user_id, role) do nothing;
  return true;
end
$$;

alter table private.invitations enable row level security;
alter table private.invitations force row level security;

revoke all on private.invitations from public, anon, authenticated, service_role;
grant select (id, email, full_name, status, invited_at, expires_at, last_sent_at, send_count)
  on private.invitations to authenticated, service_role;

-- Other users read an empty list.
create policy platform_admins_read on private.invitations for select to authenticated
  using ((select private.is_platform_admin()));
create policy service on private.invitations to service_role, current_user using (true) with check (true);
