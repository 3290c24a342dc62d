-- Invitations of members. A separate table: nothing that reads it can grant a role, and nothing that grants a role reads it.
create table private.member_invitations (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  -- One row per account and email address: a further invitation reopens it.
  email text not null,
  -- The name that the inviter typed.
  full_name text not null,
  user_id uuid,
  invited_by uuid,
  -- Expired follows from expires_at.
  status text not null default 'pending',
  invited_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz,
  -- Emails that the mail server accepted, and the time of the last one.
  last_sent_at timestamptz,
  send_count integer not null default 0,
  -- The note and the expiry that the inviter chose, as in private.invitations. A resend uses them again.
  note text,
  term_seconds integer,
  term_until timestamptz,
  constraint member_invitations_pkey primary key (id),
  constraint member_invitations_account_id_email_key unique (account_id, email),
  constraint member_invitations_account_id_fkey foreign key (account_id) references public.accounts on delete cascade,
  constraint member_invitations_user_id_fkey foreign key (user_id) references auth.users on delete set null,
  constraint member_invitations_invited_by_fkey foreign key (invited_by) references auth.users on delete set null,
  constraint member_invitations_email_check check (email = lower(btrim(email)) and char_length(email) <= 255),
  constraint member_invitations_full_name_check check (
    char_length(full_name) between 2 and 100 and full_name !~ '[[:cntrl:]]'
  ),
  -- The rules of all text fields: see public.profiles.
  constraint member_invitations_full_name_turns_no_text check (
    full_name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'
  ),
  constraint member_invitations_full_name_is_visible check (full_name ~
    '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
    '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
    '\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'),
  constraint member_invitations_status_check check (status in ('pending', 'accepted', 'revoked')),
  constraint member_invitations_send_count_check check (send_count >= 0),
  constraint member_invitations_note_check check (
    char_length(note) between 1 and 500 and replace(note, e'\n', '') !~ '[[:cntrl:]]'
  ),
  constraint member_invitations_note_turns_no_text check (note !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  -- From one hour to thirty days, as in packages/contract/src/invitation-terms.ts.
  constraint member_invitations_term_seconds_check check (term_seconds between 3600 and 2592000),
  constraint member_invitations_term_check check (term_seconds is null or term_until is null)
);

-- The order of the list in the panel of an account.
create index member_invitations_newest_idx on private.member_invitations (account_id, invited_at desc, id desc);
create index member_invitations_user_id_idx on private.member_invitations (user_id);

create trigger record_change after insert or update or delete on private.member_invitations
  for each row execute function private.record_change();

-- Rejects a pending invitation of a user who has a role, also an ended one: setting the password would give the role to the
-- person who has the link.
create function private.reject_invited_role() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if new.status = 'pending' and exists (select from public.user_roles r where r.user_id = new.user_id) then
    raise exception using
      errcode = '23514',
      constraint = 'member_invitations_no_role',
      message = 'A user with a role cannot be invited as a member';
  end if;
  return new;
end
$$;
create trigger reject_invited_role before insert or update of user_id, status on private.member_invitations
  for each row execute function private.reject_invited_role();

alter table private.member_invitations enable row level security;
alter table private.member_invitations force row level security;

revoke all on private.member_invitations from public, anon, authenticated, service_role;

create policy service on private.member_invitations to current_user using (true) with check (true);

-- Link tokens. An invitation can have several; each is stored as the SHA-256 of a 256-bit token.
create table private.member_invitation_tokens (
  token_hash bytea not null,
  invitation_id uuid not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint member_invitation_tokens_pkey primary key (token_hash),
  constraint member_invitation_tokens_invitation_id_fkey
    foreign key (invitation_id) references private.member_invitations on delete cascade,
  constraint member_invitation_tokens_token_hash_check check (octet_length(token_hash) = 32)
);

create index member_invitation_tokens_invitation_id_idx on private.member_invitation_tokens (invitation_id);

alter table private.member_invitation_tokens enable row level security;
alter table private.member_invitation_tokens force row level security;

revoke all on private.member_invitation_tokens from public, anon, authenticated, service_role;

create policy service on private.member_invitation_tokens to current_user using (true) with check (true);

-- Accepts all pending invitations of a user as a member, and adds the memberships. The Auth API calls it in the transaction
-- that sets the password. Returns the accepted invitations: none for a user with a role, which the link must not open. A
-- membership that exists keeps its status.
create function private.accept_member_invitations(invited_user uuid) returns setof uuid
  language plpgsql security definer
  set search_path = ''
as $$
declare
  accepted uuid[];
begin
  with changed as (
    update private.member_invitations i
      set status = 'accepted', accepted_at = now()
      where i.user_id = invited_user and i.status = 'pending' and i.expires_at > now()
        and not exists (select from public.user_roles r where r.user_id = invited_user)
      returning i.id, i.account_id
  ), added as (
    insert into public.account_members (account_id, user_id)
      select c.account_id, invited_user from changed c
      on conflict (account_id, user_id) do nothing
  )
  select array_agg(c.id) into accepted from changed c;
  delete from private.member_invitation_tokens t where t.invitation_id = any (accepted);
  return query select unnest(accepted);
end
$$;
revoke execute on function private.accept_member_invitations(uuid) from public;

-- Their emails.
alter table private.deliveries add column member_invitation_id uuid;
alter table private.deliveries add constraint deliveries_member_invitation_id_fkey
  foreign key (member_invitation_id) references private.member_invitations on delete set null;
create index deliveries_member_invitation_id_idx on private.deliveries (member_invitation_id, created_at desc);
alter table private.deliveries drop constraint deliveries_kind_check;
alter table private.deliveries add constraint deliveries_kind_check check (kind in (
  'invitation', 'recovery', 'confirmation', 'magic_link', 'email_change', 'reauthentication',
  'password_changed', 'email_changed', 'phone_changed', 'factor_added', 'factor_removed', 'factors_reset',
  'recovery_code_used', 'passkey_added', 'passkey_removed', 'identity_linked', 'identity_unlinked',
  'sign_in_failed', 'administrator_invited', 'audit_head', 'test', 'member_invitation'
));
