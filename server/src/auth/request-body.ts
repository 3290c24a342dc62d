/** Reading of request bodies: JSON objects whose fields are checked where they are used. */
import type { Context } from 'hono';
import type { AppEnv } from '../app-env.ts';
import { Refusal } from '../errors.ts';
import { jsonDepth } from '../json-depth.ts';

/** Fields of a JSON body; `null` counts as absent, as clients send it for what they leave out. */
export class RequestBody {
  readonly #fields: ReadonlyMap<string, unknown>;

  constructor(fields: object) {
    this.#fields = new Map(Object.entries(fields));
  }

  has(name: string): boolean {
    const value = this.#fields.get(name);
    return value !== undefined && value !== null;
  }

  /** '' when the field is absent. @throws Refusal 400 when it is no text. */
  text(name: string): string {
    const value = this.#fields.get(name);
    if (value === undefined || value === null) return '';
    if (typeof value !== 'string') throw invalid(`${name} must be a string`);
    return value;
  }

  flag(name: string, fallback = false): boolean {
    const value = this.#fields.get(name);
    if (value === undefined || value === null) return fallback;
    if (typeof value !== 'boolean') throw invalid(`${name} must be a boolean`);
    return value;
  }

  /** A JSON object, null when the field is absent. */
  object(name: string): Record<string, unknown> | null {
    const value = this.#fields.get(name);
    if (value === undefined || value === null) return null;
    if (typeof value !== 'object' || Array.isArray(value)) throw invalid(`${name} must be an object`);
    return value as Record<string, unknown>;
  }
}

const invalid = (message: string): Refusal => new Refusal(400, 'validation_failed', message);

/** Deeper bodies are nobody's honest request and cost stack in whatever walks them. */
const deepest = 32;

/** @throws Refusal 400 `bad_json` when there is no JSON object. */
export async function readBody(
  c: Context<AppEnv>,
  complaint = 'Could not parse request body as JSON',
): Promise<RequestBody> {
  const bytes = await c.req.arrayBuffer();
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object');
    if (jsonDepth(text) > deepest) throw new Error('nested too deeply');
    return new RequestBody(value);
  } catch (error) {
    const reason =
      error instanceof SyntaxError ? 'invalid JSON' : error instanceof Error ? error.message : 'unreadable';
    throw new Refusal(400, 'bad_json', `${complaint}: ${reason}`);
  }
}

/** As `readBody`, for endpoints whose body may be left out. */
export async function readOptionalBody(c: Context<AppEnv>): Promise<RequestBody> {
  const bytes = await c.req.arrayBuffer();
  return bytes.byteLength === 0 ? new RequestBody({}) : readBody(c);
}
