/** Idempotency keys of a form, with which the service detects a repeated request. */
import { hasFeature } from '../api/runtime-config.ts';

/** One key for each distinct input of a dialog: corrected input is a new request. */
export class IdempotencyKeys {
  readonly #keys = new Map<string, string | undefined>();

  /**
   * Returns a UUID, the same for equal input. Returns undefined if the backend does not support idempotency
   * keys, or without HTTPS, where browsers do not provide `crypto.randomUUID`.
   */
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
