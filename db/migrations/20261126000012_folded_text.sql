-- Text as searches and orders compare it: without case, accents and zero-width characters. The same rule as in
-- packages/contract/src/fold-text.ts.

-- Folds text with characters other than ASCII: NFKD, no combining marks and characters without width, lower case, and letters
-- and punctuation without a decomposition.
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
    'ԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖẞøđðłħŧıς‘’ʼ′׳‐‒–—―−־';
  folded constant text :=
    'ædoþdhlŋœtɓƃƅɔƈɖɗƌǝəɛƒɠɣɩɨƙɯɲɵƣƥʀƨʃƭʈʊʋƴƶʒƹƽǥƕƿȝƞȣȥⱥȼƚⱦɂƀʉʌɇɉɋɍɏͱͳͷϳαβγδεζηθικλμνξοπρστυφχψωϗϙϛϝϟϡϣϥϧϩϫϭ' ||
    'ϯϸϻͻͼͽђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿ' ||
    'ԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆßoddlhtiσ''''''''''-------';
  ignored constant text :=
    '[\u0300-\u036f\u00ad\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]+';
  used text;
begin
  value := lower(regexp_replace(normalize(value, NFKD), ignored, '', 'g') collate "C");
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

-- Returns the folded text and, on a second line, its spelling with two letters for each letter that is also written so: Müller
-- is muller and mueller.
create function private.unicode_spellings(value text) returns text
  language plpgsql immutable strict parallel safe
  set search_path = ''
as $$
declare
  decomposed text := regexp_replace(normalize(value, NFKD),
    '[\u00ad\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]+',
    '', 'g');
begin
  if decomposed !~ '[aouAOU]\u0308|[aA]\u030a|[øØ]' then
    return private.fold_unicode(value);
  end if;
  decomposed := regexp_replace(decomposed, '([aouAOU])\u0308', '\1e', 'g');
  decomposed := regexp_replace(decomposed, '([aA])\u030a', '\1a', 'g');
  return private.fold_unicode(value) || chr(10)
    || private.fold_unicode(replace(replace(decomposed, 'ø', 'oe'), 'Ø', 'oe'));
end
$$;

-- Postgres inlines this function as well.
create function private.spellings(value text) returns text
  language sql immutable parallel safe
  return case
    when octet_length(value) = char_length(value) then lower(value collate "C")
    else private.unicode_spellings(value)
  end;

-- Index expressions run with the role of the request.
grant execute on function private.fold_unicode(text), private.fold_text(text), private.unicode_spellings(text),
    private.spellings(text)
  to authenticated, service_role;

-- Names sort by their folded text in the order of code points, so that the order does not depend on the locale and the
-- engine of the database. A domain, because the result of a function of a row has the collation of its type.
create domain private.folded_text as text collate "C";
grant usage on type private.folded_text to authenticated, service_role;
