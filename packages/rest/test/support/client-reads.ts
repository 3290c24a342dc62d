/** Plain reads: filters and response formats. */
import type { PostgrestClient } from '@supabase/postgrest-js';
import type { ClientCase, Families } from './client-cases.ts';

type Halls = ReturnType<typeof halls>;
const halls = (client: PostgrestClient) => client.from('halls').select('name').order('name');
const filter = (name: string, apply: (query: Halls) => Halls): ClientCase => [name, (c) => apply(halls(c))];

export const readFamilies: Families = {
  filters: [
    filter('not', (q) => q.not('state', 'eq', 'shut')),
    filter('or', (q) => q.or('state.eq.shut,name.eq.east')),
    filter('eq', (q) => q.eq('name', 'east')),
    filter('neq', (q) => q.neq('name', 'east')),
    filter('gt', (q) => q.gt('name', 'east')),
    filter('gte', (q) => q.gte('name', 'north')),
    filter('lt', (q) => q.lt('name', 'north')),
    filter('lte', (q) => q.lte('name', 'north')),
    filter('like', (q) => q.like('name', '%th%')),
    filter('likeAllOf', (q) => q.likeAllOf('name', ['%th%', 'n%'])),
    filter('likeAnyOf', (q) => q.likeAnyOf('name', ['%st', 'n%'])),
    filter('ilike', (q) => q.ilike('name', '%TH%')),
    filter('ilikeAllOf', (q) => q.ilikeAllOf('name', ['%TH%', 'N%'])),
    filter('ilikeAnyOf', (q) => q.ilikeAnyOf('name', ['%ST', 'N%'])),
    filter('is', (q) => q.is('facts', null)),
    filter('in', (q) => q.in('state', ['open', 'shut'])),
    filter('in, with names to quote', (q) => q.in('name', ['a,b', 'c"d', 'east'])),
    filter('notIn', (q) => q.notIn('name', ['east', 'west'])),
    filter('contains a range', (q) => q.contains('ages', '[1,2)')),
    filter('contains json', (q) => q.contains('facts', { foo: { baz: 'text' } })),
    ['contains an array', (c) => c.from('odd').select('id').contains('list', ['test'])],
    filter('containedBy a range', (q) => q.containedBy('ages', '[1,2)')),
    filter('containedBy json', (q) => q.containedBy('facts', { foo: { baz: 'text' } })),
    ['containedBy an array', (c) => c.from('odd').select('id').containedBy('list', ['another', 'x'])],
    filter('rangeLt', (q) => q.rangeLt('ages', '[2,25)')),
    filter('rangeGt', (q) => q.rangeGt('ages', '[2,20)')),
    filter('rangeGte', (q) => q.rangeGte('ages', '[2,25)')),
    filter('rangeLte', (q) => q.rangeLte('ages', '[2,25)')),
    filter('rangeAdjacent', (q) => q.rangeAdjacent('ages', '[2,25)')),
    filter('overlaps', (q) => q.overlaps('ages', '[2,25)')),
    ['overlaps an array', (c) => c.from('odd').select('id').overlaps('list', ['one', 'x'])],
    filter('textSearch', (q) => q.textSearch('words', `'fat' & 'cat'`, { config: 'english' })),
    filter('textSearch, plain', (q) => q.textSearch('words', 'fat cat', { type: 'plain' })),
    filter('textSearch, phrase', (q) => q.textSearch('words', 'cat', { type: 'phrase', config: 'english' })),
    filter('textSearch, websearch', (q) => q.textSearch('words', 'fat or bat', { type: 'websearch' })),
    filter('several', (q) => q.eq('name', 'east').is('facts', null).overlaps('ages', '[1,2)')),
    filter('filter', (q) => q.filter('name', 'eq', 'east')),
    filter('match', (q) => q.match({ name: 'east', state: 'open' })),
    filter('isDistinct', (q) => q.isDistinct('state', 'open')),
    filter('regexMatch', (q) => q.regexMatch('name', '^.o')),
    filter('regexIMatch', (q) => q.regexIMatch('name', '^.O')),
    ['on a call', (c) => c.rpc('hall_and_state', { hall_name: 'east' }).neq('state', 'shut')],
  ],
  transforms: [
    ['order', (c) => c.from('halls').select().order('name', { ascending: false })],
    [
      'order by several',
      (c) => c.from('shows').select().order('author_id', { ascending: false }).order('id'),
    ],
    ['order by a JSON path', (c) => c.from('halls').select('name').order('facts->foo').order('name')],
    ['limit', (c) => c.from('halls').select().order('name').limit(1)],
    ['range', (c) => c.from('halls').select().order('name').range(1, 3)],
    ['single', (c) => c.from('halls').select().order('name').limit(1).single()],
    ['single of several', (c) => c.from('halls').select().single()],
    ['maybeSingle of none', (c) => c.from('halls').select().eq('name', 'x').maybeSingle()],
    ['maybeSingle of several', (c) => c.from('halls').select().maybeSingle()],
    ['csv', (c) => c.from('halls').select('name,state').order('name').csv()],
    ['stripNulls', (c) => c.from('halls').select().order('name').stripNulls()],
    ['stripNulls of one', (c) => c.from('halls').select().eq('name', 'east').single().stripNulls()],
    ['head', (c) => c.from('halls').select('*', { head: true })],
    ['head, exact', (c) => c.from('halls').select('*', { head: true, count: 'exact' })],
    ['exact', (c) => c.from('halls').select('*', { count: 'exact' }).order('name')],
    ['bare count, head, exact', (c) => c.from('halls').select('count', { head: true, count: 'exact' })],
  ],
  basics: [
    ['all columns', (c) => c.from('halls').select().order('name')],
    ['a view', (c) => c.from('hall_names').select().order('name')],
    [
      'another schema',
      (c) =>
        c
          .schema('personal' as 'public')
          .from('halls')
          .select()
          .order('name'),
    ],
    [
      'a schema that is not exposed',
      (c) =>
        c
          .schema('pg_catalog' as 'public')
          .from('pg_class')
          .select(),
    ],
    ['no match', (c) => c.from('halls').select().eq('name', 'missing')],
    ['a cast', (c) => c.from('shows').select('id::text').order('id').limit(1).single()],
    ['one column several times', (c) => c.from('shows').select('id, id, id').order('id').limit(1)],
    ['a JSON path', (c) => c.from('halls').select('facts->foo->bar, facts->foo->>baz').eq('name', 'west')],
    ['a quoted column', (c) => c.from('odd').select('"two words", id').order('id')],
    ['a computed column', (c) => c.from('shows').select('id, blurb').order('id')],
    ['a computed column of partitions', (c) => c.from('days').select('id, day_number')],
    ['a missing column', (c) => c.from('halls').select('nowhere')],
    ['a missing type', (c) => c.from('halls').select('name::nowhere')],
  ],
};
