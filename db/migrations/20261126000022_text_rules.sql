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
do $rules$
declare
  visible constant text := '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
      '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
      '\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]';
  rule record;
begin
  for rule in select * from (values
    ('public.accounts', 'name', $sql$'Account without a name'$sql$, 'accounts_name_is_visible'),
    ('public.profiles', 'full_name', 'null', 'profiles_full_name_is_visible'),
    ('private.invitations', 'full_name', 'left(email, 100)', 'invitations_full_name_is_visible'),
    ('public.notification_settings', 'sender_name', $sql$'Sender'$sql$, 'notification_settings_sender_name_is_visible')
  ) as rules (relation, field, replacement, name) loop
    execute format('update %1$s set %2$s = %3$s where %2$s !~ %4$L', rule.relation, rule.field, rule.replacement, visible);
    execute format('alter table %s add constraint %s check (%s ~ %L)', rule.relation, rule.name, rule.field, visible);
  end loop;
end
$rules$;

alter table public.accounts
  add constraint accounts_address_turns_no_text check (address !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  add constraint accounts_city_turns_no_text check (city !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  add constraint accounts_state_turns_no_text check (state !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  add constraint accounts_zip_code_turns_no_text check (zip_code !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]');
alter table private.account_suspensions
  add constraint account_suspensions_reason_turns_no_text check (reason !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]');

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
      '\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]') then name end
    )
    on conflict (id) do nothing;
  return null;
end
$$;
