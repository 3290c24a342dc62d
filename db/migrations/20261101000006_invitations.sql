-- Invitations of administrators. The record lives in the private schema; requests read a view that
-- says what holds now: a pending invitation whose time has passed is expired.
create table private.invitations (
  id uuid primary key default gen_random_uuid(),
  -- One record per address for ever: inviting again opens it again.
  email text not null unique check (email = lower(btrim(email)) and char_length(email) <= 255),
  full_name text not null check (char_length(full_name) between 2 and 100 and full_name !~ '[[:cntrl:]]'),
  user_id uuid references auth.users on delete set null,
  invited_by uuid references auth.users on delete set null,
  -- Stored: pending, accepted, revoked, or any other text; expired follows from the time.
  status text not null default 'pending' check (char_length(status) between 1 and 50),
  invited_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz,
  -- Mails that the mail server took over, and when it took the newest.
  last_sent_at timestamptz,
  send_count integer not null default 0 check (send_count >= 0)
);
create index invitations_newest_idx on private.invitations (invited_at desc, id desc);
create index invitations_user_id_idx on private.invitations (user_id);

create trigger record_change after insert or update or delete on private.invitations
  for each row execute function private.record_change();

-- Links of an invitation: many may live, each is stored as the SHA-256 of its 256-bit token.
create table private.invitation_tokens (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  invitation_id uuid not null references private.invitations on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index invitation_tokens_invitation_id_idx on private.invitation_tokens (invitation_id);

alter table private.invitations enable row level security;
alter table private.invitations force row level security;
alter table private.invitation_tokens enable row level security;
alter table private.invitation_tokens force row level security;
revoke all on private.invitations, private.invitation_tokens from public, anon, authenticated, service_role;
grant select (id, email, full_name, status, invited_at, expires_at, last_sent_at, send_count)
  on private.invitations to authenticated, service_role;

-- Everybody else sees an empty list, as the guarded screen shows nothing to them.
create policy platform_admins_read on private.invitations for select to authenticated
  using ((select private.is_platform_admin()));
create policy service on private.invitations to service_role, current_user using (true) with check (true);
create policy service on private.invitation_tokens to current_user using (true) with check (true);

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
revoke all on public.user_invitations from public, anon, authenticated, service_role;
grant select on public.user_invitations to authenticated, service_role;

-- Rows can be brought in by SQL (imports, sample data); requests have no grant for it.
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

-- Changes go through the functions. Without this trigger Postgres would complain about the computed
-- status before it looks at the missing grant.
create function private.refuse_invitation_change() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  raise exception using errcode = '42501', message = 'Invitations change through their functions only';
end
$$;
create trigger refuse_change instead of update or delete on public.user_invitations
  for each row execute function private.refuse_invitation_change();

-- Acceptance is the moment when the invited person's password is set: the auth service calls this in
-- the same transaction. False when nothing open is left to accept (revoked, expired, used).
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
