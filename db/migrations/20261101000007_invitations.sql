-- Invitations of administrators, with their link tokens and the first openings of their links. Requests read the view
-- public.user_invitations, which shows a pending invitation past its expiry as expired.
create table private.invitations (
  id uuid not null default gen_random_uuid(),
  -- One row per email address: a further invitation reopens it.
  email text not null,
  -- The name that the inviter typed; after acceptance a copy of the name in the profile.
  full_name text not null,
  user_id uuid,
  invited_by uuid,
  -- Stored: pending, accepted, revoked, removed, or other text. Expired follows from expires_at.
  status text not null default 'pending',
  invited_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz,
  -- Emails that the mail server accepted, and the time of the last one.
  last_sent_at timestamptz,
  send_count integer not null default 0,
  constraint invitations_pkey primary key (id),
  constraint invitations_email_key unique (email),
  constraint invitations_user_id_fkey foreign key (user_id) references auth.users on delete set null,
  constraint invitations_invited_by_fkey foreign key (invited_by) references auth.users on delete set null,
  constraint invitations_email_check check (email = lower(btrim(email)) and char_length(email) <= 255),
  constraint invitations_full_name_check check (
    char_length(full_name) between 2 and 100 and full_name !~ '[[:cntrl:]]'
  ),
  -- Direction controls can make a name read as another one. The same set as in packages/contract/src/text-checks.ts.
  constraint invitations_full_name_turns_no_text check (full_name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  constraint invitations_status_check check (char_length(status) between 1 and 50),
  constraint invitations_send_count_check check (send_count >= 0)
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

alter table private.invitations enable row level security;
alter table private.invitations force row level security;

revoke all on private.invitations from public, anon, authenticated, service_role;
grant select (id, email, full_name, status, invited_at, expires_at, last_sent_at, send_count)
  on private.invitations to authenticated, service_role;

-- Other users read an empty list.
create policy platform_admins_read on private.invitations for select to authenticated
  using ((select private.is_platform_admin()));
create policy service on private.invitations to service_role, current_user using (true) with check (true);

-- Link tokens. An invitation can have several; each is stored as the SHA-256 of a 256-bit token.
create table private.invitation_tokens (
  token_hash bytea not null,
  invitation_id uuid not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint invitation_tokens_pkey primary key (token_hash),
  constraint invitation_tokens_invitation_id_fkey
    foreign key (invitation_id) references private.invitations on delete cascade,
  constraint invitation_tokens_token_hash_check check (octet_length(token_hash) = 32)
);

create index invitation_tokens_invitation_id_idx on private.invitation_tokens (invitation_id);

alter table private.invitation_tokens enable row level security;
alter table private.invitation_tokens force row level security;

revoke all on private.invitation_tokens from public, anon, authenticated, service_role;

create policy service on private.invitation_tokens to current_user using (true) with check (true);

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

-- The invitations as requests read them.
create view public.user_invitations with (security_invoker = true) as
  select
    id,
    full_name,
    email,
    invited_at,
    case when status = 'pending' and expires_at <= now() then 'expired' else status end as status,
    expires_at,
    last_sent_at,
    send_count
  from private.invitations;

-- Inserts by SQL (imports, sample data). Requests have no grant for it.
create function private.insert_invitation() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  insert into private.invitations (id, full_name, email, invited_at, status, expires_at)
  values (
    coalesce(new.id, gen_random_uuid()),
    new.full_name,
    lower(btrim(new.email)),
    coalesce(new.invited_at, now()),
    case when new.status = 'expired' then 'pending' else coalesce(new.status, 'pending') end,
    coalesce(
      case when new.status = 'expired' then least(new.expires_at, now()) else new.expires_at end,
      now() + interval '7 days'
    )
  )
  returning id, invited_at, status, expires_at into new.id, new.invited_at, new.status, new.expires_at;
  return new;
end
$$;
create trigger insert_invitation instead of insert on public.user_invitations
  for each row execute function private.insert_invitation();

-- Rejects changes: the functions of the service change invitations. Without this trigger Postgres reports the computed
-- column status before the missing grant.
create function private.reject_invitation_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception using errcode = '42501', message = 'Invitations change through their functions only';
end
$$;
create trigger reject_change instead of update or delete on public.user_invitations
  for each row execute function private.reject_invitation_change();

revoke all on public.user_invitations from public, anon, authenticated, service_role;
grant select on public.user_invitations to authenticated, service_role;

-- Accepts the invitation of a user and adds the role. The Auth API calls it in the transaction that sets the password.
-- Returns false if the user has no pending invitation (revoked, expired, or accepted before).
create function private.accept_invitation(invited_user uuid, invitation uuid default null) returns boolean
  language plpgsql security definer
  set search_path = ''
as $$
declare
  accepted uuid;
begin
  update private.invitations i
    set status = 'accepted', accepted_at = now()
    where i.user_id = invited_user and i.status = 'pending' and i.expires_at > now()
      and i.id = coalesce(invitation, i.id)
    returning i.id into accepted;
  if accepted is null then
    return false;
  end if;
  delete from private.invitation_tokens t where t.invitation_id = accepted;
  insert into public.user_roles (user_id, role) values (invited_user, 'platform_admin')
    on conflict (user_id, role) do nothing;
  return true;
end
$$;
