-- One rule for all text fields: no character that changes the text direction, and names that can be seen. The same sets as in
-- packages/contract/src/text-checks.ts. Zero-width joiners and non-joiners stay allowed: words and emoji need them.

-- Stored rows keep what can be seen. Invisible names are replaced, so that later changes of the row are possible.
update public.accounts set
    address = regexp_replace(address, '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', '', 'g'),
    city = regexp_replace(city, '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', '', 'g'),
    state = regexp_replace(state, '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', '', 'g'),
    zip_code = regexp_replace(zip_code, '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', '', 'g')
  where concat(address, city, state, zip_code) ~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]';
update private.account_suspensions
  set reason = coalesce(nullif(btrim(regexp_replace(reason, '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', '', 'g')), ''), 'No reason')
  where reason ~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]';
update public.accounts set name = 'Account without a name'
  where name !~ ('[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
      '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
      '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]');
update public.profiles set full_name = null
  where full_name !~ ('[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
      '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
      '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]');
update private.invitations set full_name = left(email, 100)
  where full_name !~ ('[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
      '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
      '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]');
update public.notification_settings set sender_name = 'Sender'
  where sender_name !~ ('[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
      '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
      '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]');

alter table public.accounts
  add constraint accounts_name_is_visible check (name ~ ('[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
      '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
      '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]')),
  add constraint accounts_address_turns_no_text check (address !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  add constraint accounts_city_turns_no_text check (city !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  add constraint accounts_state_turns_no_text check (state !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  add constraint accounts_zip_code_turns_no_text check (zip_code !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]');
alter table private.account_suspensions
  add constraint account_suspensions_reason_turns_no_text check (reason !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]');
alter table public.profiles
  add constraint profiles_full_name_is_visible check (full_name ~ ('[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
      '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
      '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'));
alter table private.invitations
  add constraint invitations_full_name_is_visible check (full_name ~ ('[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
      '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
      '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'));
alter table public.notification_settings
  add constraint notification_settings_sender_name_is_visible check (sender_name ~ ('[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
      '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
      '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'));

-- As before, and a name that cannot be seen is no name.
create or replace function private.create_profile() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  -- The client chooses the metadata. An invalid name must not prevent the user from being created, so it is repaired.
  name text := nullif(btrim(left(regexp_replace(
    new.raw_user_meta_data ->> 'full_name',
    '[[:cntrl:]\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]', ' ', 'g'), 200)), '');
begin
  insert into public.profiles (id, full_name)
    values (
      new.id,
      case when name ~ ('[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
      '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
      '\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]') then name end
    )
    on conflict (id) do nothing;
  return null;
end
$$;
