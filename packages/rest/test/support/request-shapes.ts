/** Paths of requests that grow to the limit of the cost: columns, embeds, spreads, groups, searches and lists. */

const list = (count: number, createItem: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => createItem(index)).join(',');
const repeat = (count: number, createItem: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => createItem(index)).join('');

/** Returns nested embeds of accounts, innermost without columns. */
const chain = (depth: number, join: string): string =>
  depth === 0 ? '' : `${depth % 2 === 1 ? 'account_members' : 'accounts'}${join}(${chain(depth - 1, join)})`;
const chainNames = ['account_members', 'accounts', 'account_members', 'accounts', 'account_members'];
const ones = (count: number): string => list(count, () => '1');
const stars = (count: number): string => list(count, () => '*');
/** Returns spreads of many and of one in turn, around items of a member. */
const nestedSpreads = (items: string): string =>
  `...account_members(...accounts(...account_members(...accounts(...account_members(${items})))))`;

/** Paths of requests by their size. */
export const requestShapes: Record<string, (size: number) => string> = {
  columns: (n) => `/accounts?select=${list(n, (i) => `a${i}:id::text`)}`,
  'JSON paths': (n) => `/accounts?select=${list(n, (i) => `a${i}:name${'->a'.repeat(10)}`)}`,
  'conditions on a JSON path': (n) => `/accounts?and=(${list(n, () => `name${'->a'.repeat(10)}.eq.1`)})`,
  'computed columns': (n) => `/accounts?select=${list(n, (i) => `a${i}:search_text`)}`,
  'conditions on a computed column': (n) => `/accounts?and=(${list(n, () => 'search_text.eq.x')})`,
  'search of a computed column': (n) =>
    `/accounts?and=(${list(n, () => 'search_text.ilike.*x*')})&order=name`,
  'order by a computed column': (n) => `/accounts?order=${list(n, () => 'search_text')}`,
  'embeds of many': (n) => `/accounts?select=id,${list(n, (i) => `e${i}:account_members(user_id)`)}`,
  'embeds of one': (n) => `/account_members?select=user_id,${list(n, (i) => `e${i}:accounts(id)`)}`,
  'inner embeds of many': (n) => `/accounts?select=id,${list(n, (i) => `e${i}:account_members!inner()`)}`,
  'inner embeds of one': (n) =>
    `/account_members?select=user_id,${list(n, (i) => `e${i}:accounts!inner(id)`)}`,
  'nested embeds': (n) => `/accounts?select=id,${list(n, (i) => `e${i}:account_members(${chain(4, '')})`)}`,
  'nested inner embeds': (n) =>
    `/accounts?select=id,${list(n, (i) => `e${i}:account_members!inner(${chain(4, '!inner')})`)}`,
  'embeds in a spread': (n) =>
    `/account_members?select=...accounts(${list(n, (i) => `e${i}:account_members(user_id)`)})`,
  'order by embeds': (n) =>
    `/account_members?select=${list(n, (i) => `e${i}:accounts(id)`)}&order=${list(n, (i) => `e${i}(name)`)}`,
  'tests of embeds': (n) =>
    `/accounts?select=id,${list(n, (i) => `e${i}:account_members()`)}&and=(${list(n, (i) => `e${i}.is.null`)})`,
  'alternatives of embeds': (n) =>
    `/accounts?select=id,${list(n, (i) => `e${i}:account_members()`)}&or=(${list(n, (i) => `e${i}.not.is.null`)})`,
  'repeated tests of nested embeds': (n) =>
    `/accounts?select=id,${chain(5, '')}` +
    chainNames
      .map((name, depth) => {
        const path = chainNames.slice(0, depth).map((outer) => `${outer}.`);
        return `&${path.join('')}or=(${list(n, () => `${name}.not.is.null`)})`;
      })
      .join(''),
  'alternatives of nested embeds': (n) =>
    `/accounts?select=id,${list(n, (i) => `e${i}:account_members(accounts(account_members()))`)}` +
    `&or=(${list(n, (i) => `e${i}.not.is.null`)},name.eq.x)` +
    repeat(n, (i) => `&e${i}.or=(accounts.not.is.null,user_id.is.null)`) +
    repeat(n, (i) => `&e${i}.accounts.or=(account_members.not.is.null,name.eq.x)`),
  'columns in a spread of one': (n) => `/account_members?select=...accounts(${list(n, (i) => `a${i}:id`)})`,
  'columns in a spread of many': (n) =>
    `/accounts?select=...account_members(${list(n, (i) => `a${i}:user_id`)})`,
  'columns in nested spreads': (n) => `/accounts?select=${nestedSpreads(list(n, (i) => `a${i}:user_id`))}`,
  stars: (n) => `/accounts?select=${stars(n)}`,
  'stars in some embeds': (n) => `/account_members?select=${list(7, (i) => `e${i}:accounts(${stars(n)})`)}`,
  'embeds of stars': (n) => `/account_members?select=${list(n, (i) => `e${i}:accounts(*,*,*)`)}`,
  'embeds of ordered stars': (n) =>
    `/account_members?select=${list(n, (i) => `e${i}:accounts(*)`)}&order=${list(n, (i) => `e${i}(name)`)}`,
  'columns of rows of a function': (n) => `/rpc/listed_accounts?select=${list(n, (i) => `a${i}:id::text`)}`,
  'conditions on rows of a function': (n) => `/rpc/listed_accounts?and=(${list(n, (i) => `slug.neq.${i}`)})`,
  'embeds of rows of a function': (n) =>
    `/rpc/listed_accounts?select=id,${list(n, (i) => `e${i}:account_members!inner()`)}`,
  aggregates: (n) => `/accounts?select=${list(n, (i) => `a${i}:name->a${i}.count()`)}`,
  'aggregates in a spread': (n) =>
    `/account_members?select=...accounts(${list(n, (i) => `a${i}:name->a${i}.count()`)})`,
  'groups of rows': (n) => `/accounts?select=id.count(),${list(n, (i) => `a${i}:name->a${i}`)}`,
  'embeds of grouped rows': (n) =>
    `/accounts?select=n:id.count(),name,${list(n, (i) => `e${i}:account_members(user_id)`)}`,
  'spread of grouped embeds': (n) =>
    `/account_members?select=...accounts(n:id.count(),${list(n, (i) => `e${i}:account_members(user_id)`)})`,
  conditions: (n) => `/accounts?and=(${list(n, () => 'name.eq.x')})`,
  alternatives: (n) => `/accounts?or=(${list(n, (i) => `name.eq.${i}`)})`,
  'conditions on a key': (n) => `/accounts?and=(${list(n, (i) => `slug.eq.${i}`)})`,
  'conditions beside an inner embed': (n) =>
    `/accounts?select=id,${chain(3, '!inner')}&and=(${list(n, (i) => `slug.gt.${i}`)})`,
  'groups of indexed columns': (n) =>
    `/accounts?and=(${list(n, (i) => `or(slug.eq.a${i},created_at.eq.2026-01-01)`)})`,
  'groups of one column': (n) => `/accounts?and=(${list(n, (i) => `or(slug.eq.a${i},slug.eq.b${i})`)})`,
  'group parameters': (n) => `/accounts?${repeat(n, (i) => `or=(slug.eq.a${i},slug.gt.b${i})&`)}`,
  'alternatives of groups': (n) => `/accounts?or=(${list(n, (i) => `and(slug.eq.a${i},slug.gt.b${i})`)})`,
  'nested groups': (n) =>
    `/accounts?or=(${'not.and('.repeat(15)}${list(n, (i) => `name.eq.a${i}`)}${')'.repeat(15)})`,
  'searched conditions': (n) =>
    `/accounts?and=(${list(n, (i) => `name.neq.${i}`)},name.ilike.*x*)&order=name`,
  'groups in a search': (n) =>
    `/accounts?${repeat(n, (i) => `or=(search_text.match.w${i},place_text.match.w${i})&`)}order=name`,
  'groups of words in a search': (n) =>
    `/accounts?${repeat(n, (i) => `or=(search_text.match.fire w${i}00,place_text.match.fire w${i}00)&`)}order=name`,
  'alternatives of words': (n) =>
    `/accounts?or=(name.ilike.*fire station*,${list(n, (i) => `slug.eq.${i}`)})&order=name`,
  'lists beside words': (n) =>
    `/accounts?or=(name.ilike.*fire station*,${list(n, () => `city.in.(${ones(99)})`)})&order=name`,
  'search with an order': (n) =>
    `/accounts?name=ilike.*fire station*&order=${list(n, () => `name${'->a'.repeat(10)}`)}`,
  'search with an order by a computed column': (n) =>
    `/accounts?name=ilike.*fire station*&order=${list(n, () => 'search_text')}`,
  'search with columns': (n) =>
    `/accounts?select=${list(n, (i) => `a${i}:name::text`)}&name=ilike.*fire station*&order=name`,
  'patterns without an order': (n) => `/accounts?and=(${list(n, (i) => `name.ilike.*a${i}*`)})`,
  'patterns of common values': (n) => `/accounts?and=(${list(n, (i) => `city.ilike.*a${i}*`)})`,
  'patterns of many parts': (n) => `/accounts?and=(${list(n, () => `city.ilike.${'*i'.repeat(20)}`)})`,
  'list of patterns without an order': (n) => `/accounts?name=ilike(any).{${list(n, (i) => `*${i}*`)}}`,
  patterns: (n) => `/accounts?and=(${list(n, (i) => `name.ilike.*a${i}*`)})&order=name`,
  'patterns of words': (n) =>
    `/accounts?and=(${list(6, (i) => `name.ilike.*fire station ${i}*`)},${list(n, (i) => `name.ilike.*${i}*`)})&order=name`,
  'list of patterns': (n) => `/accounts?name=ilike(any).{${list(n, (i) => `*${i}*`)}}&order=name`,
  'list of values': (n) => `/accounts?city=in.(${list(n, () => '1')})`,
  'list of values in a search': (n) => `/accounts?city=in.(${list(n, () => '1')})&name=ilike.*x*&order=name`,
  'list of limits': (n) => `/accounts?city=gt(any).{${list(n, () => '1')}}`,
  lists: (n) => `/accounts?and=(${list(n, (i) => `city.in.(${list(90, () => String(i % 10))})`)})`,
  'short lists': (n) => `/accounts?${repeat(n, () => 'city=in.(1)&')}`,
  'lists in a search': (n) =>
    `/accounts?${repeat(n, () => `city=in.(${ones(99)})&`)}name=ilike.*x*&order=name`,
  'lists in a search of words': (n) =>
    `/accounts?${repeat(n, () => `city=in.(${ones(99)})&`)}name=ilike.*fire station*&order=name`,
  'long lists in a search of words': (n) =>
    `/accounts?${repeat(n, () => `city=in.(${ones(199)})&`)}name=ilike.*fire station*&order=name`,
  'lists of limits': (n) => `/accounts?${repeat(n, () => `city=gt(any).{${ones(99)}}&`)}`,
  'lists in groups': (n) => `/accounts?or=(${list(n, (i) => `city.in.(${ones(98)},${i})`)})`,
  'lists in an inner embed': (n) =>
    `/account_members?select=user_id,accounts!inner()&${repeat(n, () => `accounts.city=in.(${ones(99)})&`)}`,
  'text searches': (n) => `/accounts?and=(${list(n, (i) => `name.wfts(english).a${i}`)})`,
  'columns of a view': (n) => `/user_invitations?select=${list(n, (i) => `a${i}:email`)}`,
};

/** The set-returning function of the shapes, which Postgres inlines. */
export const shapeFunctions = `
  create function public.listed_accounts() returns setof public.accounts language sql stable
  as 'select * from public.accounts';
  grant execute on function public.listed_accounts to authenticated, service_role;`;
