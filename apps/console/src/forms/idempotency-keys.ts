/** Keys that let the service tell a repeated request from a new one. */
import { hasFeature } from '../api/runtime-config.ts';

/** One key for each distinct input of one dialog: a corrected input is another request. */
export class IdempotencyKeys {
  readonly #keys = new Map<string, string | undefined>();

  /** A UUID, the same for equal input. Undefined on plain http, where browsers offer none, and where the backend reads no keys. */
  keyFor(input: object): string | undefined {
    const text = JSON.stringify(input);
    if (!this.#keys.has(text))
      this.#keys.set(
        text,
        hasFeature('idempotency-keys') && isSecureContext ? crypto.randomUUID() : undefined,
      );
    return this.#keys.get(text);
  }
}
