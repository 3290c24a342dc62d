-- The end date of a membership. As with a role, the database ends the rights at that second; the service settles the stored
-- status, the member count and the sessions a few seconds later.

-- The membership is valid until then, or without limit if it is null.
alter table public.account_members add column ends_at timestamptz;
alter table public.account_members add constraint account_members_ends_at_check check (isfinite(ends_at));

-- The memberships that private.end_memberships looks for.
create index account_members_ends_at_idx on public.account_members (ends_at)
  where ends_at is not null and status = 'active';

-- The only definition of a membership that gives rights now.
create view private.active_memberships as
  select m.account_id, m.user_id
    from public.account_members m
    where m.status = 'active' and (m.ends_at is null or m.ends_at > now());
revoke all on private.active_memberships from public, anon, authenticated, service_role;

-- Returns the accounts of which the user of the request is an active member. PL/pgSQL and parallel safe, as
-- is_platform_admin is.
create or replace function private.own_account_ids() returns setof uuid
  language plpgsql stable parallel safe security definer
  set search_path = ''
as $$
begin
  return query select m.account_id from private.active_memberships m where m.user_id = auth.uid();
end
$$;

-- A membership that has ended is not visible to its user, also before its status is settled.
alter policy own_memberships on public.account_members
  using (user_id = (select auth.uid()) and (ends_at is null or ends_at > now()));

-- No user changes the end date of their own membership: an administrator can be a member, too. Nor do they remove it with its
-- end date, because they could be added again without one.
create function private.guard_membership_end() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  if old.user_id = auth.uid() then
    raise exception using
      errcode = '42501',
      constraint = 'account_members_own_end',
      message = case tg_op
        when 'DELETE' then 'Only another administrator can remove your membership, because it has an end date'
        else 'Only another administrator can change the end date of your membership' end;
  end if;
  return coalesce(new, old);
end
$$;
create trigger guard_end before update on public.account_members
  for each row when (old.ends_at is distinct from new.ends_at) execute function private.guard_membership_end();
create trigger guard_removal before delete on public.account_members
  for each row when (old.ends_at is not null) execute function private.guard_membership_end();

-- An administrator whose role ends gives no membership that outlasts the role, as private.guard_role_end does for roles:
-- otherwise they could give it to themselves. The argument is the column with the end date. An undo restores an end date that
-- the administrator changed in the last ten minutes.
create function private.guard_given_membership() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  given_until timestamptz := coalesce((to_jsonb(new) ->> tg_argv[0])::timestamptz, 'infinity');
begin
  if coalesce(current_setting('request.undoes', true), '') = '' and exists (
    select from public.user_roles r
      where r.user_id = auth.uid() and r.role = 'platform_admin' and r.ends_at < given_until
  ) then
    raise exception using
      errcode = '42501',
      constraint = 'account_members_role_end',
      message = 'You cannot give a membership that outlasts your own role. '
        'Set an end date that is not after the end of your role';
  end if;
  return new;
end
$$;
create trigger guard_role_end before insert on public.account_members
  for each row execute function private.guard_given_membership('ends_at');
create trigger guard_changed_role_end before update on public.account_members
  for each row when (old.ends_at is distinct from new.ends_at) execute function private.guard_given_membership('ends_at');

-- A membership that is extended after its end is active again.
create function private.reopen_membership() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  new.status := 'active';
  return new;
end
$$;
create trigger reopen before update on public.account_members
  for each row when (
    old.status = 'ended' and new.status = 'ended' and old.ends_at is distinct from new.ends_at
    and (new.ends_at is null or new.ends_at > now())
  )
  execute function private.reopen_membership();

-- Marks up to 1000 memberships as ended, which updates the member counts, and revokes the sessions that were created before the
-- end, of users who have neither an active membership of an active account nor a role. The service calls it several times a
-- minute, and again while `ended`, the number of these memberships, is 1000. Returns the revoked sessions, too.
create function private.end_memberships(out ended integer, out sessions jsonb)
  language plpgsql security definer
  set search_path = ''
as $$
declare
  batch uuid[];
begin
  -- Does not wait for a user, a membership or an account that another transaction has locked: it could lock several accounts,
  -- too, in another order. The next call ends these memberships.
  select array_agg(due.id) into batch from (
    select m.id from public.account_members m
      join auth.users u on u.id = m.user_id
      join public.accounts a on a.id = m.account_id
      where m.status = 'active' and m.ends_at <= now()
      order by m.account_id, m.id limit 1000
      for no key update of u, m, a skip locked
  ) due;
  ended := coalesce(cardinality(batch), 0);
  with changed as (
    update public.account_members m set status = 'ended'
      where m.id = any (batch)
      returning m.user_id, m.ends_at
  ), members as (
    select c.user_id, max(c.ends_at) as ends_at from changed c group by c.user_id
  ), revoked as (
    delete from auth.sessions s
      using members e
      where s.user_id = e.user_id and s.created_at < e.ends_at
        and not exists (select from private.active_administrators a where a.id = s.user_id)
        and not exists (
          select from private.active_memberships m join public.accounts a on a.id = m.account_id
            where m.user_id = s.user_id and a.status = 'active'
        )
      returning s.id, s.user_id, s.created_at
  )
  select coalesce(jsonb_agg(r), '[]') into sessions from revoked r;
end
$$;
revoke execute on function private.end_memberships() from public;

-- The end date that the inviter chose; the acceptance sets it. The links expire at this time at the latest.
alter table private.member_invitations add column membership_ends_at timestamptz;
alter table private.member_invitations
  add constraint member_invitations_membership_ends_at_check check (isfinite(membership_ends_at));
create trigger guard_role_end before insert or update of membership_ends_at, status, expires_at on private.member_invitations
  for each row when (new.status = 'pending') execute function private.guard_given_membership('membership_ends_at');

-- Accepts all pending invitations of a user as a member, and adds the memberships with their end dates. The Auth API calls it
-- in the transaction that sets the password. Returns the accepted invitations: none whose membership would have ended, and none
-- for a user with a role, which the link must not open. A membership that exists keeps its status and its end date.
create or replace function private.accept_member_invitations(invited_user uuid) returns setof uuid
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
        and (i.membership_ends_at is null or i.membership_ends_at > now())
        and not exists (select from public.user_roles r where r.user_id = invited_user)
      returning i.id, i.account_id, i.membership_ends_at
  ), added as (
    insert into public.account_members (account_id, user_id, ends_at)
      select c.account_id, invited_user, c.membership_ends_at from changed c order by c.account_id
      on conflict (account_id, user_id) do nothing
  )
  select array_agg(c.id) into accepted from changed c;
  delete from private.member_invitation_tokens t where t.invitation_id = any (accepted);
  return query select unnest(accepted);
end
$$;
