-- Imports of accounts, so that an import can be undone: the accounts that it has created. The service deletes both tables'
-- rows after seven days.
create table private.account_imports (
  -- Chosen by the client, the same for all requests of a file.
  id uuid not null,
  -- Null for the command line.
  created_by uuid,
  created_at timestamptz not null default now(),
  constraint account_imports_pkey primary key (id),
  constraint account_imports_created_by_fkey foreign key (created_by) references auth.users on delete cascade
);

create index account_imports_created_by_idx on private.account_imports (created_by);
create index account_imports_created_at_idx on private.account_imports (created_at);

alter table private.account_imports enable row level security;
alter table private.account_imports force row level security;

revoke all on private.account_imports from public, anon, authenticated, service_role;

create policy service on private.account_imports to current_user using (true) with check (true);

create table private.imported_accounts (
  account_id uuid not null,
  import_id uuid not null,
  -- That of the account when the import created it. An account with another one has been changed since.
  updated_at timestamptz not null,
  constraint imported_accounts_pkey primary key (account_id),
  constraint imported_accounts_account_id_fkey foreign key (account_id) references public.accounts on delete cascade,
  constraint imported_accounts_import_id_fkey foreign key (import_id)
    references private.account_imports on delete cascade
);

-- The order in which an undo reads the accounts of an import.
create index imported_accounts_import_id_idx on private.imported_accounts (import_id, account_id);

alter table private.imported_accounts enable row level security;
alter table private.imported_accounts force row level security;

revoke all on private.imported_accounts from public, anon, authenticated, service_role;

create policy service on private.imported_accounts to current_user using (true) with check (true);

-- Returns which of the accounts have rows in other tables, such as members. It reads the foreign keys from the catalog, so that
-- an undo never deletes the rows of a table that a later version adds.
create function private.referenced_accounts(account_ids uuid[]) returns setof uuid
  language plpgsql stable strict
  set search_path = ''
as $$
declare
  reference record;
begin
  for reference in
    select c.conrelid::regclass as referencing_table, a.attname as referencing_column
      from pg_catalog.pg_constraint c
      join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'public.accounts'::regclass
        and c.conrelid <> 'private.imported_accounts'::regclass
  loop
    return query execute format(
      'select distinct %I from %s where %I = any ($1)',
      reference.referencing_column, reference.referencing_table, reference.referencing_column
    ) using account_ids;
  end loop;
end
$$;
revoke execute on function private.referenced_accounts(uuid[]) from public;

-- An import finds accounts whose names are the same words. Without pg_trgm, 20261126000016_similar_accounts.sql has created
-- such an index.
do $$
begin
  if to_regclass('public.accounts_comparable_name_idx') is null then
    create index accounts_same_words_idx on public.accounts (private.comparable_name(name) text_pattern_ops);
  end if;
end
$$;
