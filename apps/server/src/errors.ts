/** Returns the message of a thrown value. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * An expected error of an action of the product. The Functions API maps the code to a status, and the CLI prints the
 * message.
 */
export class DomainError extends Error {
  /** For example `last_administrator`. */
  readonly code: string;
  /** Seconds until the action can succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: string,
    message: string,
    options: { readonly retryAfterSeconds?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
