-- Finds accounts with a similar name, by the words that distinguish a name from others.

-- Returns the name in the form in which names are compared: without case, accents and punctuation, with the words of
-- common abbreviations, without words that carry no meaning. Immutable, because an index stores its results. With the default
-- cost, the planner computes the words of every account instead of reading the index.
create function private.comparable_name(name text) returns text
  language plpgsql immutable strict parallel safe cost 500
  set search_path = ''
as $$
declare
  abbreviations constant jsonb := '{
    "and": "", "the": "", "of": "", "for": "", "inc": "", "llc": "", "ltd": "", "gmbh": "", "corp": "",
    "sar": "search rescue", "mr": "mountain rescue", "mrt": "mountain rescue team",
    "fd": "fire department", "vfd": "volunteer fire department", "pd": "police department", "so": "sheriffs office",
    "ems": "emergency medical services", "uscg": "united states coast guard",
    "rnli": "royal national lifeboat institution", "nps": "national park service", "np": "national park",
    "st": "saint", "ste": "sainte", "ft": "fort", "pt": "port", "is": "island", "isl": "island", "vly": "valley",
    "mt": "mountain", "mtn": "mountain", "mtns": "mountain", "mount": "mountain", "mountains": "mountain",
    "n": "north", "s": "south", "e": "east", "w": "west",
    "co": "county", "cnty": "county", "twp": "township", "dist": "district", "dept": "department",
    "svc": "service", "svcs": "services", "serv": "service", "assn": "association", "assoc": "association",
    "org": "organization", "intl": "international", "natl": "national", "nat": "national", "univ": "university",
    "hosp": "hospital", "ctr": "center", "centre": "center", "med": "medical", "amb": "ambulance",
    "vol": "volunteer", "emerg": "emergency", "mgmt": "management", "harbour": "harbor"
  }'::jsonb;
  word text;
  result text := '';
begin
  -- Punctuation separates words; apostrophes and periods do not.
  name := translate(private.fold_text(name), '-&/,()+:;!?"#$%*<=>@[\]^_`{|}~–—·''’.', repeat(' ', 33));
  foreach word in array string_to_array(name, ' ') loop
    word := coalesce(abbreviations ->> word, word);
    if word <> '' then
      result := result || ' ' || word;
    end if;
  end loop;
  return ltrim(result);
end
$$;
revoke execute on function private.comparable_name(text) from public;

-- Returns the words of a comparable name that distinguish it from others: many accounts are a mountain rescue team.
create function private.distinctive_words(comparable text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
return (
  select coalesce(string_agg(word, ' ' order by place), '')
    from regexp_split_to_table(comparable, ' ') with ordinality words (word, place)
    where word <> all ('{search,rescue,mountain,ski,patrol,team,fire,department,police,county,district,city,park,
      service,services,emergency,medical,ambulance,volunteer,hospital,center,national,association,harbor,port,
      lifeguard,lifeguards,lifeboat,station,response,guard,coast,air,medics,management,master,sheriffs,office,
      saint,fort,north,south,east,west,island,valley,lake,university,international,airport,surf,
      red,cross,croix,rouge,cruz,roja,hopital,protecao,civil,bergwacht,bergrettung,feuerwehr}'::text[])
);
revoke execute on function private.distinctive_words(text) from public;

-- Returns the words by which candidates are found: those that distinguish the name from others, or all if it has no such word.
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

-- A write evaluates the expression of the index with the rights of the client.
grant execute on function private.comparable_name(text), private.distinctive_words(text), private.distinctive_name(text)
  to authenticated, service_role;

-- Returns accounts whose comparable name starts as the given one does: without pg_trgm, no index finds typing errors.
create function private.similar_accounts_by_prefix(wanted text) returns table (id uuid, score real)
  language plpgsql stable strict
  set search_path = ''
as $$
declare
  comparable text := private.comparable_name(wanted);
  beginning text := left(comparable, greatest(6, ceil(char_length(comparable) * 0.6)::integer));
begin
  if char_length(comparable) < 3 then
    return;
  end if;
  -- A beginning of common words matches many accounts.
  return query
    select other.id, (1 - abs(char_length(other.name) - char_length(comparable)) / 300.0)::real
      from (
        select a.id, private.comparable_name(a.name) as name
          from public.accounts a
          where private.comparable_name(a.name) operator(pg_catalog.~>=~) beginning
            and private.comparable_name(a.name) operator(pg_catalog.~<~) (beginning || chr(1114111))
          limit 100
      ) other
      order by 2 desc, other.id
      limit 5;
end
$$;
revoke execute on function private.similar_accounts_by_prefix(text) from public;

-- The index, and private.similar_accounts, which uses trigrams if pg_trgm is installed (20261126000013_accounts.sql). Accounts
-- are then candidates if their distinctive words are similar, or if the whole names are nearly the same. Names that share only
-- common words are not similar: an index of whole names returns every account that shares them, 67,000 in a large instance. The
-- second search reads the index of all names, so it needs a name of which more than a quarter is distinctive: otherwise every
-- account of its kind has enough of its trigrams. The limit bounds the work for a name that very many accounts share.
do $$
declare
  extension_schema text;
begin
  select n.nspname into extension_schema
    from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm';
  if not found then
    create index accounts_comparable_name_idx on public.accounts (private.comparable_name(name) text_pattern_ops);
    create function private.similar_accounts(wanted text) returns table (id uuid, score real)
      language sql stable strict
      set search_path = ''
    as 'select id, score from private.similar_accounts_by_prefix(wanted)';
    return;
  end if;
  execute format(
    'create index accounts_distinctive_trigrams_idx on public.accounts using gin (private.distinctive_name(name) %I.gin_trgm_ops)',
    extension_schema
  );
  -- Loads the library: only then may every owner set its threshold.
  execute format('select %I.show_trgm(%L)', extension_schema, '');
  execute format(
    $function$
    create function private.similar_accounts(wanted text) returns table (id uuid, score real)
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
            where (private.spellings(a.name) || chr(10) || a.slug) operator(%1$I.%%) folded
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
revoke execute on function private.similar_accounts(text) from public;
