/** A response of the Data API as plain data, which is cheap to create and can be stored. */
import type { Context } from 'hono';
import type { AppEnv } from '../http/context.ts';

/** Request headers that all responses depend on, including errors. */
export const varyHeader = 'Accept, Prefer, Range, Origin';

export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/**
 * Converts to a `Response`. Passes all headers to the constructor: the Node.js adapter writes a plain record directly, and
 * rebuilds responses whose headers are modified later.
 */
export function toResponse(c: Context<AppEnv>, { status, headers, body }: PlainResponse): Response {
  c.set('responseHeadersApplied', true);
  return new Response(body, { status, headers: { ...c.get('responseHeaders'), ...headers } });
}
