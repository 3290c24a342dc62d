/** Writes, each rolled back, so that every case starts from the same rows. */
import type { PostgrestClient } from '@supabase/postgrest-js';
import type { ClientAnswer, Families } from './client-cases.ts';

interface Write extends PromiseLike<ClientAnswer> {
  rollback(): PromiseLike<ClientAnswer>;
}
const show = { note: 'new', hall: 'east', author_id: 1 };
/** A write to shows or shelves consumes a sequence value, so the response omits it. */
const undone = (run: (client: PostgrestClient) => Write) => (client: PostgrestClient) =>
  run(client).rollback();
const bounded = (query: unknown, rows: number): Write =>
  (query as { maxAffected(max: number): Write }).maxAffected(rows);

export const writeFamilies: Families = {
  inserts: [
    ['one, minimal', undone((c) => c.from('shows').insert(show))],
    ['one', undone((c) => c.from('shows').insert(show).select('note, hall'))],
    ['one, single', undone((c) => c.from('shows').insert(show).select('note').single() as unknown as Write)],
    ['several', undone((c) => c.from('shows').insert([show, show]).select('note, hall'))],
    [
      'several, maybeSingle',
      undone((c) => c.from('shows').insert([show, show]).select('note').maybeSingle() as unknown as Write),
    ],
    [
      'several, counted',
      undone((c) => c.from('shows').insert([show, show], { count: 'exact' }).select('note')),
    ],
    [
      'with defaults',
      undone((c) =>
        c
          .from('shelves')
          .insert([{ id: 100 }, { id: 101, slug: 'x' }], { defaultToNull: false })
          .select(),
      ),
    ],
    [
      'with missing columns as null',
      undone((c) =>
        c
          .from('shelves')
          .insert([{ id: 100 }, { id: 101, slug: 'x' }])
          .select(),
      ),
    ],
    [
      'a quoted column',
      undone((c) =>
        c
          .from('odd')
          .insert([{ 'two words': 'x', id: 9 }])
          .select('"two words", id'),
      ),
    ],
    ['an embed', undone((c) => c.from('shows').insert(show).select('note, halls(name)'))],
    ['empty rows', undone((c) => c.from('shelves').insert([{}, {}]).select('slug'))],
    ['a missing column', (c) => c.from('halls').insert([{ nowhere: 1 }])],
    ['into a view that takes none', (c) => c.from('hall_names').insert({ fixed: 3 })],
    ['a row that exists', (c) => c.from('halls').insert({ name: 'east' })],
  ],
  upserts: [
    ['new', undone((c) => c.from('halls').upsert({ name: 'attic' }).select('name, state'))],
    ['existing', undone((c) => c.from('halls').upsert({ name: 'east', state: 'shut' }).select())],
    ['counted', undone((c) => c.from('halls').upsert({ name: 'east' }, { count: 'exact' }).select('name'))],
    [
      'by a column',
      undone((c) => c.from('halls').upsert({ name: 'east' }, { onConflict: 'name' }).select('name')),
    ],
    [
      'ignoring existing rows',
      undone((c) =>
        c.from('halls').upsert({ name: 'east' }, { onConflict: 'name', ignoreDuplicates: true }).select(),
      ),
    ],
    [
      'with defaults',
      undone((c) =>
        c
          .from('shelves')
          .upsert([{ id: 1 }, { id: 100, slug: 'x' }], { defaultToNull: false })
          .select(),
      ),
    ],
    [
      'several',
      undone((c) =>
        c
          .from('halls')
          .upsert([{ name: 'east' }, { name: 'attic' }])
          .select('name'),
      ),
    ],
  ],
  updates: [
    ['minimal', undone((c) => c.from('shows').update({ note: 'x' }).eq('note', 'Twice'))],
    [
      'rows',
      undone(
        (c) =>
          c
            .from('shows')
            .update({ author_id: 1 })
            .eq('note', 'Twice')
            .select()
            .order('id') as unknown as Write,
      ),
    ],
    [
      'counted',
      undone((c) =>
        c.from('shows').update({ author_id: 1 }, { count: 'exact' }).eq('note', 'Twice').select('note'),
      ),
    ],
    [
      'single',
      undone(
        (c) =>
          c
            .from('halls')
            .update({ state: 'shut' })
            .eq('name', 'east')
            .select('state')
            .single() as unknown as Write,
      ),
    ],
    ['no match, minimal', (c) => c.from('halls').update({ facts: '' }).eq('name', 'missing')],
    ['no match, rows', (c) => c.from('halls').update({ facts: '' }).eq('name', 'missing').select()],
    [
      'with counts of an embed',
      undone((c) =>
        c.from('halls').update({ state: 'shut' }).eq('name', 'east').select('name, shows(count)'),
      ),
    ],
  ],
  deletes: [
    ['minimal', undone((c) => c.from('shows').delete().eq('note', 'Twice'))],
    ['rows', undone((c) => c.from('shows').delete().eq('note', 'Twice').select('note'))],
    ['counted', undone((c) => c.from('shows').delete({ count: 'exact' }).eq('note', 'Twice').select('note'))],
    ['single', undone((c) => c.from('shows').delete().eq('id', 1).select('id').single() as unknown as Write)],
    ['a referenced row', (c) => c.from('halls').delete().eq('name', 'east')],
  ],
  maxAffected: [
    [
      'an update above it',
      undone((c) => bounded(c.from('shows').update({ note: 'x' }).eq('note', 'Twice'), 1)),
      'added in 12.2',
    ],
    [
      'an update within it',
      undone((c) => bounded(c.from('shows').update({ note: 'x' }).eq('note', 'Twice'), 2)),
      'added in 12.2',
    ],
    [
      'a delete above it',
      undone((c) => bounded(c.from('shows').delete().eq('note', 'Twice'), 1)),
      'added in 12.2',
    ],
    [
      'a delete within it',
      undone((c) => bounded(c.from('shows').delete().eq('note', 'Twice'), 2)),
      'added in 12.2',
    ],
    [
      'a call within it',
      undone((c) => bounded(c.rpc('shut_halls', { pattern: 'eas%' }).select('name'), 1)),
      'added in 12.2',
    ],
    [
      'a call above it',
      undone((c) => bounded(c.rpc('shut_halls', { pattern: '%' }).select('name'), 1)),
      'added in 12.2',
    ],
  ],
  'what is undone': [
    ['a call', undone((c) => c.rpc('shut_halls', { pattern: 'east' }).select('state'))],
    ['leaves the rows', (c) => c.from('halls').select('name, state').order('name')],
    ['and their number', (c) => c.from('shows').select('*', { count: 'exact', head: true })],
  ],
};
