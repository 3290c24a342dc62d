-- Only for a hosted Supabase project, after db/migrations. Replaces the parts of the Auth API that store invitations and
-- accept them when the user sets a password.

-- Stores an invitation. send-user-invitation.ts calls it with the secret key.
create function public.record_invitation(invited_email text, invited_name text, inviter uuid)
  returns table (id uuid, expires_at timestamptz)
  language plpgsql security definer
  set search_path = ''
as $$
declare
  invited_user uuid := (select u.id from auth.users u where u.email = lower(btrim(invited_email)) and u.deleted_at is null);
begin
  if exists (select from public.user_roles r where r.user_id = invited_user and r.role = 'platform_admin') then
    raise sqlstate 'PT409' using message = lower(btrim(invited_email)) || ' is already an administrator.';
  end if;
  return query
    insert into private.invitations as i (email, full_name, user_id, invited_by)
    values (lower(btrim(invited_email)), invited_name, invited_user, inviter)
    on conflict (email) do update set
      full_name = excluded.full_name, user_id = excluded.user_id, invited_by = excluded.invited_by,
      status = 'pending', invited_at = now(), expires_at = now() + interval '7 days', accepted_at = null
    returning i.id, i.expires_at;
end
$$;
revoke all on function public.record_invitation(text, text, uuid) from public, anon, authenticated;
grant execute on function public.record_invitation(text, text, uuid) to service_role;

-- Accepts the invitation and grants the role when the user sets a password.
create function private.accept_with_password() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- An invitation that was stored before the user existed is found by the email address.
  update private.invitations i set user_id = new.id
    where i.user_id is null and i.email = new.email and i.status = 'pending';
  perform private.accept_invitation(new.id);
  return new;
end
$$;
create trigger accept_with_password after update of encrypted_password on auth.users
  for each row when (new.encrypted_password is distinct from old.encrypted_password)
  execute function private.accept_with_password();
