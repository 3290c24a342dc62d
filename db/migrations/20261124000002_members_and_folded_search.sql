-- Members: the order of the list in the panel of an account.
create index account_members_newest_idx on public.account_members (account_id, created_at desc, id desc);

-- Folds case and accents of text that has other characters than ASCII. The same rule as in
-- packages/contract/src/fold-text.ts: NFKD, no combining marks, lower case, and letters without a decomposition.
-- translate() does not depend on the locale and on the version of Postgres, as lower() does.
create function private.fold_unicode(value text) returns text
  language plpgsql immutable strict parallel safe
  set search_path = ''
as $$
begin
  value := lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]+', '', 'g') collate "C");
  if octet_length(value) = char_length(value) then
    return value;
  end if;
  value := translate(value,
        'ÆÐØÞĐĦŁŊŒŦƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧ' ||
        'ΨΩϏϘϚϜϞϠϢϤϦϨϪϬϮϷϺϽϾϿЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤ' ||
        'ҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ' ||
        'ẞøđðłħŧıς',
        'ædoþdhlŋœtɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳαβγδεζηθικλμνξοπρστυφχ' ||
        'ψωϗϙϛϝϟϡϣϥϧϩϫϭϯϸϻͻͼͽђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥ' ||
        'ҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ' ||
        'ßoddlhtiσ');
  return replace(replace(replace(replace(value, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
end
$$;

-- Postgres inlines this function, so that plain text costs no call.
create function private.fold_text(value text) returns text
  language sql immutable parallel safe
  return case
    when octet_length(value) = char_length(value) then lower(value collate "C")
    else private.fold_unicode(value)
  end;

-- Index expressions run with the role of the request.
grant execute on function private.fold_unicode(text), private.fold_text(text) to authenticated, service_role;

-- Computed columns of accounts, for filters: the folded texts that the list and the command palette search. No
-- searched text contains the separator. The argument has no name, so that clients cannot call the functions.
create function public.search_text(public.accounts) returns text
  language sql immutable parallel safe
  return private.fold_text($1.name || chr(10) || $1.slug);

create function public.place_text(public.accounts) returns text
  language sql immutable parallel safe
  return private.fold_text(coalesce($1.city, '') || chr(10) || coalesce($1.state, ''));

grant execute on function public.search_text(public.accounts), public.place_text(public.accounts)
  to authenticated, service_role;

-- Without pg_trgm a search reads the whole table.
do $$
declare
  extension_schema text;
begin
  select n.nspname into extension_schema
    from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm';
  if found then
    execute format(
      'create index accounts_folded_search_idx on public.accounts
        using gin (private.fold_text(name || chr(10) || slug) %I.gin_trgm_ops)',
      extension_schema
    );
  end if;
end
$$;
