/** Embeds of every kind, spreads, counts and other aggregates. */
import type { PostgrestClient } from '@supabase/postgrest-js';
import { newer, type ClientCase, type Families } from './client-cases.ts';

const select = (table: string, items: string, order: string, differs?: string): ClientCase => [
  `${table}: ${items}`,
  (c: PostgrestClient) => c.from(table).select(items).order(order),
  differs,
];

export const embedFamilies: Families = {
  relationships: [
    select('authors', 'name, shows(id, note)', 'id'),
    select('authors', 'name, shows(id, note, halls(name, state))', 'id'),
    select('authors', 'name, shows(id), books(title)', 'id'),
    select('shows', 'place:halls(*)', 'id'),
    select('halls', 'shows(*)', 'name'),
    select('halls', 'shows(facts)', 'name'),
    select('shelves', 'shelf_notes(*)', 'id'),
    select('shelf_notes', 'shelves(slug)', 'id'),
    select('shows', 'note, halls()', 'id'),
    select('authors', '*, authors(*)', 'id'),
    select('authors', '*, mentor_id(*)', 'id'),
    select('authors', '*, authors!mentor_id(*)', 'id'),
    select(
      'authors',
      '*, authors!authors_mentor_id_fkey(*)',
      'id',
      'PostgREST does not resolve a self-reference by its constraint name',
    ),
    select('parts', '*, parents:parent(*)', 'id'),
    select('parts', 'children:parts(*)', 'id'),
    select('books', '*, tags(*)', 'id'),
    select('halls', 'name, shows(*, blurb)', 'name'),
  ],
  joins: [
    select('shows', 'halls!inner(*, badges!inner(*))', 'id'),
    select('badges', 'id, halls!inner(name, state)', 'id'),
    select('badges', '*, halls!left(state)', 'id'),
    select('halls', 'badges!left(hall)', 'name'),
    select('shelf_notes', 'shelves!left(id)', 'id'),
    select('loans', 'a:authors!loans_giver_fkey(*), b:authors!loans_taker_fkey(*)', 'id'),
    select('loans', 'a:authors!giver(*), b:authors!taker(*)', 'id'),
    select('authors', 'given:loans!loans_giver_fkey(*), taken:loans!loans_taker_fkey(*)', 'id'),
    select('authors', 'given:loans_giver_fkey(*), taken:loans_taker_fkey(*)', 'id'),
    select('authors', 'given:loans!giver(*, giver:authors!giver(*)), taken:loans!taker(*)', 'id'),
    select('authors', 'given:loans_giver_fkey(id), taken:loans_taker_fkey(taker)', 'id'),
    select('badges', 'hall(*)', 'id'),
    select('badges', 'hall(state)', 'id'),
    select('badges', 'place:hall(*)', 'id'),
    select('badges', 'halls(*)', 'id'),
    select('badges', 'hall_names(*)', 'id'),
    select('badges', 'open_halls(name)', 'id'),
    select('loans', 'authors!giver(*)', 'id'),
    select('halls', 'name, shows!hall!inner(id, author_id)', 'name'),
    ['rows of an embed that are missing', (c) => c.from('halls').select('name, shows(id)').is('shows', null)],
  ],
  'embedded filters and windows': [
    ['eq', (c) => c.from('halls').select('shows(*)').order('name').eq('shows.author_id', 1)],
    [
      'or',
      (c) =>
        c.from('halls').select('shows(id)').or('author_id.eq.2,note.eq.Hello', { referencedTable: 'shows' }),
    ],
    [
      'or with and',
      (c) =>
        c
          .from('halls')
          .select('shows(id)')
          .or('author_id.eq.2,and(note.eq.Hello,hall.eq.east)', { referencedTable: 'shows' }),
    ],
    [
      'order',
      (c) =>
        c
          .from('halls')
          .select('name, shows(id)')
          .order('name')
          .order('id', { referencedTable: 'shows', ascending: false }),
    ],
    [
      'limit',
      (c) => c.from('halls').select('name, shows(id)').order('name').limit(1, { referencedTable: 'shows' }),
    ],
    [
      'range',
      (c) =>
        c.from('halls').select('name, shows(id)').order('name').range(1, 1, { referencedTable: 'shows' }),
    ],
  ],
  'embedded functions': [
    select('authors', 'id, all:shows_of(*)', 'id'),
    select('authors', 'id, all:shows_of(id,note)', 'id'),
    select('halls', 'name, all:shows_of(*)', 'name'),
    select('halls', 'name, all:shows_of(id,note,blurb)', 'name'),
    select('halls', 'name, one_badge(*)', 'name'),
    select('halls', 'name, profile:badge_of(*)', 'name'),
    select('halls', 'name, one:one_badge!inner(*)', 'name'),
    select('halls', 'name, badge_of(hall)', 'name'),
    select('authors', 'id, all:shows_of(id,halls(name,state))', 'id'),
    select('open_halls', 'name, open_shows(*)', 'name'),
    select('halls', 'name, names_of(*)', 'name'),
    select('shows', 'id, near:hall_beside(state, name)', 'id'),
    select('authors', 'id, any_hall(*)', 'id'),
    select('shows', 'id, all_halls(*)', 'id'),
  ],
  aggregates: [
    select('authors', 'name, shows(count)', 'id'),
    select('authors', 'name, shows(number:count)', 'id'),
    select('authors', 'name, shows(count::text)', 'id'),
    select('authors', 'name, shows(id.count())', 'id'),
    select('authors', 'name, shows(number:count())', 'id'),
    select('authors', 'name, shows(halls(count))', 'id'),
    select('authors', 'name, shows(halls(number:count()))', 'id'),
    select('authors', 'name, shows(id.sum())', 'id'),
    select('authors', 'name, shows(total:id.sum())', 'id'),
    select('authors', 'name, books(price.avg(), price.max()::text, price.min())', 'id'),
    ['the rows of a table', (c) => c.from('shows').select('count').single()],
    ['the rows of a view', (c) => c.from('open_halls').select('number:count').single()],
    ['rows that match', (c) => c.from('shows').select('count').gt('id', 1).single()],
    ['the rows of a function', (c) => c.rpc('all_halls').select('count')],
    ['groups', (c) => c.from('shows').select('note, count()').order('note')],
    ['a missing column', (c) => c.from('halls').select('alias:nowhere.count()').eq('name', 'east')],
    ['a cast and an aggregate', (c) => c.from('shows').select('note, id::text.max()').limit(1)],
    ['a name that is no aggregate', (c) => c.from('authors').select('name, shows(sum)')],
    ['rows and their number', (c) => c.from('shows').select('id, count')],
  ],
  spreads: [
    select('authors', 'name, shows(halls(count(), ...badges!inner(id)))', 'id', newer),
    select('badges', 'id, ...halls(name, state)', 'id'),
    select('shelf_notes', 'id, ...shelves(slug)', 'id'),
    select('shelf_notes', 'notes, ...shelves(*)', 'id'),
    select('shows', 'id, halls(name, ...badges(badge:id))', 'id', newer),
    select('shelves', 'shelf_notes(count(), ...shelves(slug))', 'id'),
    select('shelves', 'shelf_notes(id.sum(), ...shelves(total:id.sum(), slug))', 'id'),
    select('halls', 'hall:name, ...shows(id, note)', 'name', newer),
  ],
  'rejected embeds': [
    ['no hint, to one', (c) => c.from('loans').select('a:authors(*), b:authors(*)').single()],
    ['no hint, to many', (c) => c.from('authors').select('a:loans(*), b:loans(*)')],
    ['no hint, inside', (c) => c.from('authors').select('a:loans!giver(*, b:authors(*))')],
    ['one name twice', (c) => c.from('loans').select('authors!giver(*), authors!taker(*)')],
    [
      'a relation that is missing',
      (c) => c.from('authors').select('s:shows(id, ...nowhere(x, y!inner(id)))'),
    ],
    ['a function without a row', (c) => c.from('authors').select('any_hall()')],
  ],
};
