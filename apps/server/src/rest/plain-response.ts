/** An answer of the data interface before it becomes a response; plain, so that it can be kept and made cheaply. */
import type { Context } from 'hono';
import type { AppEnv } from '../http/context.ts';

/** What every answer depends on, refusals too. */
export const varyHeader = 'Accept, Prefer, Range, Origin';

export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/**
 * The response of an answer. The headers of every answer go in at once: Node's adapter writes a plain
 * record as it is, while a response whose headers are touched later is taken apart and built again.
 */
export function toResponse(c: Context<AppEnv>, { status, headers, body }: PlainResponse): Response {
  c.set('responseHeadersApplied', true);
  return new Response(body, { status, headers: { ...c.get('responseHeaders'), ...headers } });
}
