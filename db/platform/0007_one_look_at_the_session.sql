-- The check of every request with a token, in one look instead of two, and at the columns it needs.
-- The order of the refusals is what it was.
create or replace function auth.require_live_session(session uuid, subject uuid, level text) returns void
  language plpgsql stable security definer
  set search_path = ''
as $$
declare
  person record;
begin
  if subject is null then
    return;
  end if;
  select u.banned_until > now() as banned,
      coalesce((u.raw_app_meta_data ->> 'setup_required')::boolean, false) as setup_required,
      u.has_verified_factor, s.id as session, s.aal, s.tag
    into person
    from auth.users u
    left join auth.sessions s
      on s.id = session and s.user_id = u.id and (s.not_after is null or s.not_after > now())
    where u.id = subject and u.deleted_at is null;
  if not found then
    raise exception using errcode = 'LR001', message = 'User from sub claim in JWT does not exist';
  end if;
  if session is not null and person.session is null then
    raise exception using errcode = 'LR001', message = 'Session from session_id claim in JWT does not exist';
  end if;
  if person.banned then
    raise exception using errcode = 'LR002', message = 'User is banned';
  end if;
  -- A session that an invitation's link opened can do nothing but set the password, also for
  -- somebody who has one already.
  if person.setup_required or person.tag like 'invitation:%' then
    raise exception using errcode = 'LR003', message = 'Set your password before you go on';
  end if;
  -- Both the token and the session must have passed the second factor.
  if person.has_verified_factor and (level is distinct from 'aal2' or person.aal is distinct from 'aal2') then
    raise exception using errcode = 'LR004', message = 'Enter the code of your second factor before you go on';
  end if;
end
$$;
