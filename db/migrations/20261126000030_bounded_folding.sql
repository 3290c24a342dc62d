-- Bounds the work for a text by its length after compatibility decomposition: U+FDFA is one character, and 18 decomposed.

-- As before, with a cost that grows with the text only: translate() compares each character with its whole list, so the
-- list contains the capitals of this text instead of all.
create or replace function private.fold_unicode(value text) returns text
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

-- The same limits as in packages/contract/src/accounts.ts: three times the limit of the field, because a Hangul syllable has
-- three letters. No character has more than six for each of its bytes. Stored rows are not checked: they keep their text.
alter table public.accounts
  add constraint accounts_name_decomposed_check
    check (octet_length(name) <= 100 or char_length(normalize(name, NFKD)) <= 600) not valid,
  add constraint accounts_city_decomposed_check
    check (octet_length(city) <= 50 or char_length(normalize(city, NFKD)) <= 300) not valid,
  add constraint accounts_state_decomposed_check
    check (octet_length(state) <= 25 or char_length(normalize(state, NFKD)) <= 150) not valid;
