-- The list of administrators shows what people are called now: the name of an invitation is the
-- inviter's until it is accepted, and the person's own from then on.
create function private.rename_administrator() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- A name that an invitation cannot hold leaves the one that is there.
  update private.invitations i
    set full_name = left(new.full_name, 100)
    where i.user_id = new.id and i.status = 'accepted'
      and char_length(new.full_name) >= 2 and i.full_name <> left(new.full_name, 100);
  return null;
end
$$;
create trigger rename_administrator after update of full_name on public.profiles
  for each row execute function private.rename_administrator();

update private.invitations i
  set full_name = left(p.full_name, 100)
  from public.profiles p
  where p.id = i.user_id and i.status = 'accepted'
    and char_length(p.full_name) >= 2 and i.full_name <> left(p.full_name, 100);
