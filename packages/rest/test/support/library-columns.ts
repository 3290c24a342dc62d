/** The tables of `library-schema.ts` for generated reads: the operations that each column supports. */
export const moreBooks = `
  insert into public.books (title, author_id, in_print, price, shelf, loaned, facts)
    select (array['Snow', 'snow, again', 'S_n%w', 'Über "alles"', 'a*b\\c', ''])[1 + i % 6],
      nullif(i % 4, 0), (array[true, false, null])[1 + i % 3], (i * 7.25) % 11,
      (array['{}', '{a}', '{b,a}', '{"x,y"}'])[1 + i % 4]::text[],
      case when i % 3 > 0 then daterange('2026-01-01'::date + i, '2026-01-05'::date + i * 2) end,
      jsonb_build_object('genre', (array['winter', 'summer', null])[1 + i % 3], 'tags', (array['[]', '["cold", 1]'])[1 + i % 2]::jsonb)
    from generate_series(0, 19) i;
  insert into public.book_tags select 5 + i, (array['new', 'old'])[1 + i % 2] from generate_series(0, 9) i;
`;

export type Kind = 'integer' | 'number' | 'text' | 'boolean' | 'array' | 'range' | 'json';

export interface Embed {
  /** The text before the parenthesis in `select`. */
  readonly text: string;
  /** The name of the embed in filters and orders. */
  readonly name: string;
  readonly table: keyof typeof tables;
  readonly toOne: boolean;
}

export interface Table {
  readonly columns: Readonly<Record<string, Kind>>;
  /** Column that orders all rows. */
  readonly key: string;
  readonly embeds: readonly Embed[];
}

const embed = (text: string, table: string, toOne: boolean, name = text.replace(/!.*/, '')): Embed => ({
  text,
  name: text.includes(':') ? (text.split(':')[0] ?? '') : name,
  table: table as keyof typeof tables,
  toOne,
});

export const tables = {
  books: {
    columns: {
      id: 'integer',
      title: 'text',
      author_id: 'integer',
      in_print: 'boolean',
      big: 'integer',
      price: 'number',
      shelf: 'array',
      loaned: 'range',
      facts: 'json',
      doubled: 'integer',
      loud: 'text',
      'facts->>genre': 'text',
      'facts->tags': 'json',
      'facts->tags->>0': 'text',
    },
    key: 'id',
    embeds: [
      embed('authors', 'authors', true),
      embed('writer:authors', 'authors', true),
      embed('author_id', 'authors', true),
      embed('authors!books_author_id_fkey', 'authors', true),
      embed('authors!inner', 'authors', true),
      embed('tags', 'tags', false),
      embed('labels:book_tags', 'book_tags', false),
      embed('tags!inner', 'tags', false),
    ],
  },
  authors: {
    columns: { id: 'integer', name: 'text', mentor_id: 'integer' },
    key: 'id',
    embeds: [
      embed('books', 'books', false),
      embed('works:books', 'books', false),
      embed('books!inner', 'books', false),
      embed('biographies', 'biographies', true),
      embed('mentor_id', 'authors', true),
      embed('pupils:authors', 'authors', false),
      embed('best_books', 'best_books', false),
      embed('book_list', 'book_list', false),
    ],
  },
  book_list: {
    columns: { id: 'integer', title: 'text', author_id: 'integer' },
    key: 'id',
    embeds: [embed('authors', 'authors', true), embed('written:authors!inner', 'authors', true)],
  },
  best_books: { columns: { id: 'integer', title: 'text', price: 'number' }, key: 'id', embeds: [] },
  biographies: {
    columns: { author_id: 'integer', text: 'text' },
    key: 'author_id',
    embeds: [embed('authors', 'authors', true)],
  },
  book_tags: {
    columns: { book_id: 'integer', label: 'text' },
    key: 'label',
    embeds: [embed('books', 'books', true), embed('tags', 'tags', true)],
  },
  tags: { columns: { label: 'text' }, key: 'label', embeds: [embed('books', 'books', false)] },
} as const satisfies Record<string, unknown>;

export const getTable = (name: keyof typeof tables): Table => tables[name];
