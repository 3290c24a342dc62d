-- Search in the middle of names and slugs. Without pg_trgm everything works, and searching reads the
-- whole table: the extension may be missing, or only another role may create it.
do $$
declare
  home text;
begin
  begin
    -- Apart from the exposed schemas, or its functions could be called through the data interface.
    create schema if not exists extensions;
    create extension if not exists pg_trgm schema extensions;
  exception when insufficient_privilege or feature_not_supported or undefined_file then
    raise notice 'pg_trgm is not available (%); searching accounts reads them all', sqlerrm;
  end;
  select n.nspname into home
    from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm';
  if found then
    execute format(
      'create index accounts_search_idx on public.accounts using gin (name %1$I.gin_trgm_ops, slug %1$I.gin_trgm_ops)',
      home
    );
  end if;
end
$$;
