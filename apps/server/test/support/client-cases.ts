/**
 * What the published client's own suite asks of a server, family by family, over tables of ours. A case is
 * its name, the call, and, where PostgREST 12.0.2 answers otherwise, the reason.
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

export const newer = 'the contract follows version 13 and later';
