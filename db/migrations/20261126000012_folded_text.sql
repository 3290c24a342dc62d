-- Text as searches and orders compare it: without case and accents. The same rule as in packages/contract/src/fold-text.ts.

-- Folds text with characters other than ASCII: NFKD, no combining marks, lower case, and letters without a decomposition.
-- translate() does not depend on the locale and on the version of Postgres, as lower() does. It compares each character with
-- its whole list, so the list contains the capitals of this text instead of all: the cost grows with the text only.
create function private.fold_unicode(value text) returns text
  language plpgsql immutable strict parallel safe
  set search_path = ''
as $$
declare
  capitals constant text :=
    'ÆÐØÞĐĦŁŊŒŦƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƢƤƦƧƩƬƮƱƲƳƵƷƸƼǤǶǷȜȠȢȤȺȻȽȾɁɃɄɅɆɈɊɌɎͰͲͶͿΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩϏϘϚϜϞϠϢϤϦϨϪϬ' ||
    'ϮϷϺϽϾϿЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾ' ||
    'ԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖẞøđðłħŧıς';
  folded constant text :=
    'ædoþdhlŋœtɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳαβγδεζηθικλμνξοπρστυφχψωϗϙϛϝϟϡϣϥϧϩϫϭ' ||
    'ϯϸϻͻͼͽђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿ' ||
    'ԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆßoddlhtiσ';
  used text;
begin
  value := lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]+', '', 'g') collate "C");
  if octet_length(value) = char_length(value) then
    return value;
  end if;
  used := regexp_replace(value, '[^' || capitals || ']+', '', 'g');
  if used <> '' then
    value := translate(value, used, translate(used, capitals, folded));
  end if;
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

-- Names sort by their folded text in the order of code points, so that the order does not depend on the locale and the
-- engine of the database. A domain, because the result of a function of a row has the collation of its type.
create domain private.folded_text as text collate "C";
grant usage on type private.folded_text to authenticated, service_role;
