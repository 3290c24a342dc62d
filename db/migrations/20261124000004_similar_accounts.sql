-- Accounts that a row of an import names, and accounts with a similar name.

-- An import finds its accounts by slug, or by slug and name if the file has no slugs.
create index accounts_slug_name_idx on public.accounts (slug, private.fold_text(name));

-- Returns the name in the form in which names are compared: without case, accents and punctuation, with the words of
-- common abbreviations, without words that carry no meaning. Immutable, because an index stores its results.
create function private.comparable_name(name text) returns text
  language plpgsql immutable strict parallel safe
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
-- A write evaluates the expression of the index with the rights of the client.
grant execute on function private.comparable_name(text) to authenticated, service_role;

-- Returns the words of a comparable name that tell it from others: many accounts are a mountain rescue team.
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

-- Returns accounts whose comparable name starts like the given one: without pg_trgm, no index finds typing errors.
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

-- private.similar_accounts uses trigrams if pg_trgm is installed (20261101000005_accounts.sql). The threshold is that of
-- the operator % and of its index. Names that share only common words are not similar.
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
    'create index accounts_comparable_trigrams_idx on public.accounts using gin (private.comparable_name(name) %I.gin_trgm_ops)',
    extension_schema
  );
  -- Loads the library: only then may every owner set its threshold.
  execute format('select %I.show_trgm(%L)', extension_schema, '');
  execute format(
    $function$
    create function private.similar_accounts(wanted text) returns table (id uuid, score real)
      language plpgsql stable strict
      set search_path = '' set pg_trgm.similarity_threshold = 0.55
    as $body$
    declare
      comparable text := private.comparable_name(wanted);
      distinctive text := private.distinctive_words(comparable);
    begin
      return query
        select found.id, found.score
          from (
            select other.id, other.name, %1$I.similarity(other.name, comparable) as score
              from (
                select a.id, private.comparable_name(a.name) as name
                  from public.accounts a
                  where private.comparable_name(a.name) operator(%1$I.%%) comparable
                  offset 0
              ) other
          ) found
          where found.score >= 0.8
            or %1$I.similarity(private.distinctive_words(found.name), distinctive) >= 0.5
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
