/**
 * Cases of the published client's own test suite, by family, over the test tables. A case consists of its
 * name, the call, and the reason where PostgREST 12.0.2 responds differently.
 */
import type { PostgrestClient } from '@supabase/postgrest-js';

export interface ClientAnswer {
  readonly status: number;
  readonly count: number | null;
  readonly data: unknown;
  readonly error: { readonly code: string } | null;
}

export type ClientCase = readonly [
  name: string,
  run: (client: PostgrestClient) => PromiseLike<ClientAnswer>,
  differs?: string | undefined,
];

export type Families = Readonly<Record<string, readonly ClientCase[]>>;

export const newer = 'behavior of PostgREST 13 and later';
