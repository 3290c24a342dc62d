-- Finds similar accounts by their distinctive words first. Before, an index of whole names returned every account that shares
-- common words ("mountain rescue team"), and each of them was compared: 67,000 in a large instance.

-- Returns the words by which candidates are found: those that tell the name from others, or all if it has no such word.
-- Immutable, because an index stores its results.
create function private.distinctive_name(name text) returns text
  language plpgsql immutable strict parallel safe cost 1000
  set search_path = ''
as $$
declare
  comparable text := private.comparable_name(name);
begin
  return coalesce(nullif(private.distinctive_words(comparable), ''), comparable);
end
$$;
revoke execute on function private.distinctive_name(text) from public;
-- With the default cost, the planner computes the words of every account instead of reading the index.
alter function private.comparable_name(text) cost 500;
-- A write evaluates the expression of the index with the rights of the client.
grant execute on function private.distinctive_name(text), private.distinctive_words(text) to authenticated, service_role;

-- As before without an extension. With pg_trgm, accounts are candidates if their distinctive words are similar, or if the whole
-- names are nearly the same. The second search reads the index of all names, so it needs a name of which more than a quarter
-- is distinctive: otherwise every account of its kind has enough of its trigrams. The limit bounds the work for a name that
-- very many accounts share.
do $$
declare
  extension_schema text;
begin
  select n.nspname into extension_schema
    from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm';
  if not found then
    return;
  end if;
  drop index public.accounts_comparable_trigrams_idx;
  execute format(
    'create index accounts_distinctive_trigrams_idx on public.accounts using gin (private.distinctive_name(name) %I.gin_trgm_ops)',
    extension_schema
  );
  -- Loads the library: only then may every owner set its threshold.
  execute format('select %I.show_trgm(%L)', extension_schema, '');
  execute format(
    $function$
    create or replace function private.similar_accounts(wanted text) returns table (id uuid, score real)
      language plpgsql stable strict
      set search_path = '' set pg_trgm.similarity_threshold = 0.4
    as $body$
    declare
      folded text := private.fold_text(wanted);
      comparable text := private.comparable_name(wanted);
      distinctive text := private.distinctive_words(comparable);
      searched text := private.distinctive_name(wanted);
      candidates uuid[];
    begin
      candidates := array(
        select a.id from public.accounts a
          where private.distinctive_name(a.name) operator(%1$I.%%) searched
          limit 500);
      if cardinality(%1$I.show_trgm(distinctive)) > cardinality(%1$I.show_trgm(folded)) * 0.25 then
        perform set_config('pg_trgm.similarity_threshold', '0.75', true);
        candidates := candidates || array(
          select a.id from public.accounts a
            where (private.fold_text(a.name) || chr(10) || a.slug) operator(%1$I.%%) folded
            limit 500);
      end if;
      -- The limit must not exclude the accounts of the same name.
      candidates := candidates || array(
        select a.id from public.accounts a where private.fold_text(a.name)::private.folded_text = folded limit 5);
      return query
        select found.id, found.score
          from (
            select other.id, other.name, %1$I.similarity(other.name, comparable) as score
              from (
                select a.id, private.comparable_name(a.name) as name
                  from public.accounts a
                  where a.id = any (candidates)
                  offset 0
              ) other
          ) found
          where found.score >= 0.8
            or found.score >= 0.55 and %1$I.similarity(private.distinctive_words(found.name), distinctive) >= 0.5
          order by found.score desc, found.id
          limit 5;
    end
    $body$
    $function$,
    extension_schema
  );
end
$$;
