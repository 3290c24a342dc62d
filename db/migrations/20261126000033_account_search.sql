-- The console, the export and the commands search the folded text (accounts_folded_search_idx). Each write kept this index of
-- the names as they are up to date, and no request of the product read it.
drop index if exists public.accounts_search_idx;

-- The policies call these. They read only, and a query with a function that is not declared safe runs in one process: an exact
-- count of a common word reads every account.
alter function private.is_platform_admin() parallel safe;
alter function private.own_account_ids() parallel safe;

-- The same text as before, because a slug is its own folded form. An exact count computes it for every account, and the inlined
-- function repeated the expression of both columns.
create or replace function public.search_text(public.accounts) returns text
  language sql immutable parallel safe
  return private.fold_text($1.name) || chr(10) || $1.slug;

do $$
declare
  extension_schema text;
begin
  select n.nspname into extension_schema
    from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm';
  if found then
    drop index if exists public.accounts_folded_search_idx;
    execute format(
      'create index accounts_folded_search_idx on public.accounts
        using gin ((private.fold_text(name) || chr(10) || slug) %I.gin_trgm_ops)',
      extension_schema
    );
  end if;
end
$$;
