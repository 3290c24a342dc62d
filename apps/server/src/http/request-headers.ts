/**
 * Request headers read straight from Node. Building a `Headers` object validates what the HTTP parser
 * has validated already, and would be a tenth of the work of a small read.
 */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { RequestHeaders } from '../principal.ts';
import type { AppEnv } from './context.ts';

/** Repeated headers are joined by commas as `Headers` joins them, so two tokens never pass for one. */
class IncomingHeaders implements RequestHeaders {
  readonly #values = new Map<string, string>();

  constructor(raw: readonly string[]) {
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const name = (raw[at] ?? '').toLowerCase();
      const value = (raw[at + 1] ?? '').trim();
      const earlier = this.#values.get(name);
      this.#values.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
    }
  }

  get(name: string): string | null {
    return this.#values.get(name) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#values.entries();
  }
}

/** Headers of the request; those of the `Request` itself where no socket is behind it, as in tests. */
export function readRequestHeaders(c: Context<AppEnv>): RequestHeaders {
  const bindings = c.env as Partial<HttpBindings> | undefined;
  const raw = bindings?.incoming?.rawHeaders;
  return raw ? new IncomingHeaders(raw) : c.req.raw.headers;
}
