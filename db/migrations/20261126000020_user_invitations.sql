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
  raise exception using errcode = '42501', message = 'Only the Functions API can change invitations';
end
$$;
create trigger reject_change instead of update or delete on public.user_invitations
  for each row execute function private.reject_invitation_change();

revoke all on public.user_invitations from public, anon, authenticated, service_role;
grant select on public.user_invitations to authenticated, service_role;
