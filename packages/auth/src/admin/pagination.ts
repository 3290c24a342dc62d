/** Pagination of Supabase Auth: page numbers from 1, and `Link` headers. */
import type { Context } from 'hono';
import type { AuthEnv } from '../client-info.ts';
import { AuthError } from '../auth-error.ts';

export interface PageRequest {
  readonly number: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * Reads `page` and `per_page`; an empty value selects the default.
 *
 * @throws AuthError 400 `validation_failed` unless both are positive integers
 */
export function readPagination(c: Context<AuthEnv>): PageRequest {
  const read = (name: string, fallback: number, maximum: number): number => {
    const text = c.req.query(name) ?? '';
    if (text === '') return fallback;
    const value = Number(text);
    if (!/^\d{1,9}$/.test(text) || value < 1) {
      throw new AuthError(
        400,
        'validation_failed',
        `Bad Pagination Parameters: ${name} must be a positive number`,
      );
    }
    return Math.min(value, maximum);
  };
  const number = read('page', 1, 1_000_000);
  const size = read('per_page', 50, 1000);
  return { number, size, offset: (number - 1) * size };
}

/** Returns the `Link` header. `page` is the first parameter of each URL because auth-js reads the number there. */
export function paginationLinks(c: Context<AuthEnv>, { number, size }: PageRequest, total: number): string {
  const last = Math.max(1, Math.ceil(total / size));
  const { pathname, searchParams } = new URL(c.req.url);
  const filter = searchParams.get('filter') ?? '';
  const others = filter === '' ? '' : `&filter=${encodeURIComponent(filter)}`;
  const link = (page: number, rel: string): string =>
    `<${pathname}?page=${page}&per_page=${size}${others}>; rel="${rel}"`;
  return [...(number < last ? [link(number + 1, 'next')] : []), link(last, 'last')].join(', ');
}
