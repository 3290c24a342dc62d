-- Contacts: the people to call about an account, at most 20 in an order, and the phone numbers of administrators. Only the
-- service writes them, after it has converted each phone number to E.164.
create table public.account_contacts (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  -- The order. Gaps are allowed.
  position smallint not null,
  name text not null,
  role text,
  -- E.164, such as +41446681800.
  phone text,
  email text,
  note text,
  constraint account_contacts_pkey primary key (id),
  -- Together with the next constraint, the limit of 20 contacts. Deferrable, so that one statement can swap two positions.
  constraint account_contacts_account_id_position_key unique (account_id, position) deferrable,
  constraint account_contacts_position_check check (position between 1 and 20),
  constraint account_contacts_account_id_fkey foreign key (account_id) references public.accounts on delete cascade,
  constraint account_contacts_name_check check (
    char_length(name) between 1 and 100 and name = btrim(name) and name !~ '[[:cntrl:]]'
  ),
  -- The rules of all text fields: see public.profiles and public.accounts.
  constraint account_contacts_name_turns_no_text check (name !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  constraint account_contacts_name_is_visible check (name ~
    '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
    '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb'
    '\U00013430-\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'),
  constraint account_contacts_name_decomposed_check
    check (octet_length(name) <= 50 or char_length(normalize(name, NFKD)) <= 300),
  constraint account_contacts_role_check check (char_length(role) between 1 and 100 and role !~ '[[:cntrl:]]'),
  constraint account_contacts_role_turns_no_text check (role !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'),
  constraint account_contacts_phone_check check (phone ~ '^\+[1-9][0-9]{4,14}$'),
  -- One email address, as in public.notification_settings.
  constraint account_contacts_email_check check (
    char_length(email) <= 255
    and email ~ ('^[a-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&''*+/=?^_`{|}~-]+)*'
      '@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$')
    and position('@' in email) <= 65
  ),
  constraint account_contacts_note_check check (char_length(note) between 1 and 500 and note !~ '[[:cntrl:]]'),
  constraint account_contacts_note_turns_no_text check (note !~ '[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]')
);

create trigger record_change after insert or update or delete on public.account_contacts
  for each row execute function private.record_change();

-- What a search finds of the contacts: folded spellings of names, email addresses, and the digits of phone numbers. Null without contacts.
-- A column of the account, so that one index scan finds it, and `select=*` gives it to the filter of the browser.
alter table public.accounts
  add column contact_text text
    -- Of 20 contacts: two spellings of a name with up to 389 characters each, an email address and a phone number.
    constraint accounts_contact_text_check check (char_length(contact_text) <= 22000);

-- Maintains accounts.contact_text.
create function private.index_account_contacts() returns trigger
  language plpgsql security definer
  set search_path = ''
as $$
declare
  changed uuid[];
begin
  case tg_op
    when 'INSERT' then changed := array(select n.account_id from new_rows n);
    when 'DELETE' then changed := array(select o.account_id from old_rows o);
    else changed := array(select n.account_id from new_rows n union select o.account_id from old_rows o);
  end case;
  -- A concurrent change of the same contacts waits here, and then reads those of this one.
  perform from public.accounts a where a.id = any (changed) order by a.id for no key update;
  update public.accounts a set contact_text = t.text
    from (
      select e.id, (
          select string_agg(concat_ws(chr(10), private.spellings(c.name), c.email, ltrim(c.phone, '+')), chr(10)
              order by c.position)
            from public.account_contacts c where c.account_id = e.id
        ) as text
        from unnest(changed) e (id) group by e.id
    ) t
    where a.id = t.id and a.contact_text is distinct from t.text;
  return null;
end
$$;
create trigger index_inserted after insert on public.account_contacts
  referencing new table as new_rows for each statement execute function private.index_account_contacts();
create trigger index_updated after update on public.account_contacts
  referencing old table as old_rows new table as new_rows for each statement
  execute function private.index_account_contacts();
create trigger index_deleted after delete on public.account_contacts
  referencing old table as old_rows for each statement execute function private.index_account_contacts();

-- A change of a contact is not a change of the account: a form that was opened before can still be saved. This applies to the
-- triggers that maintain these columns only: a client with the secret key can change them together with others.
drop trigger stamp on public.accounts;
create trigger stamp before update on public.accounts
  for each row when (
    (
      pg_catalog.pg_trigger_depth() = 0
      or old.active_members = new.active_members and old.contact_text is not distinct from new.contact_text
    )
    and old.created_by is not distinct from new.created_by
    and old.updated_by is not distinct from new.updated_by
  )
  execute function private.stamp_account();
drop trigger record_update on public.accounts;
create trigger record_update after update on public.accounts
  for each row when (
    pg_catalog.pg_trigger_depth() = 0
    or old.active_members = new.active_members and old.contact_text is not distinct from new.contact_text
  )
  execute function private.record_change();

-- As accounts_folded_search_idx: without pg_trgm, a search reads the whole table.
do $$
declare
  extension_schema text;
begin
  select n.nspname into extension_schema
    from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm';
  if found then
    execute format(
      'create index accounts_contact_search_idx on public.accounts using gin (contact_text %I.gin_trgm_ops)',
      extension_schema
    );
  end if;
end
$$;

alter table public.account_contacts enable row level security;
alter table public.account_contacts force row level security;

revoke all on public.account_contacts from public, anon, authenticated, service_role;
grant select on public.account_contacts to authenticated;
grant select, insert, update, delete on public.account_contacts to service_role;

-- The rows of the accounts that a user can read.
create policy read_contacts on public.account_contacts for select to authenticated
  using ((select private.is_platform_admin()) or account_id in (select private.own_account_ids()));
create policy service on public.account_contacts to service_role, current_user using (true) with check (true);

-- The phone number at which administrators can be called, on the emergency sheet. Not a sign-in method.
alter table public.profiles
  add column phone text constraint profiles_phone_check check (phone ~ '^\+[1-9][0-9]{4,14}$');
