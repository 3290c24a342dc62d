-- Controls that turn the direction of text make a name read as another one. What is stored loses them,
-- what comes in is refused; the set is that of packages/contract/src/text-checks.ts.
update public.accounts
  set name = coalesce(
    nullif(btrim(regexp_replace(name, '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', '', 'g')), ''), 'Unnamed')
  where name ~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]';
update public.profiles
  set full_name = nullif(
    btrim(regexp_replace(full_name, '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', '', 'g')), '')
  where full_name ~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]';
update private.invitations
  set full_name = case
    when char_length(regexp_replace(full_name, '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', '', 'g')) < 2 then 'Unnamed'
    else regexp_replace(full_name, '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', '', 'g')
  end
  where full_name ~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]';
update public.notification_settings
  set sender_name = coalesce(
    nullif(regexp_replace(sender_name, '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', '', 'g'), ''), 'Unnamed')
  where sender_name ~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]';

alter table public.accounts add constraint accounts_name_turns_no_text
  check (name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]');
alter table public.profiles add constraint profiles_full_name_turns_no_text
  check (full_name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]');
alter table private.invitations add constraint invitations_full_name_turns_no_text
  check (full_name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]');
alter table public.notification_settings add constraint notification_settings_sender_name_turns_no_text
  check (sender_name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]');

create or replace function private.create_profile() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
begin
  -- Metadata is whatever somebody typed; a name that does not fit must not keep the user from existing.
  insert into public.profiles (id, full_name)
  values (
    new.id,
    nullif(btrim(left(regexp_replace(
      new.raw_user_meta_data ->> 'full_name',
      '[[:cntrl:]\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', ' ', 'g'), 200)), '')
  )
  on conflict (id) do nothing;
  return null;
end
$$;
