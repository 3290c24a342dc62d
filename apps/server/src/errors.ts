/**
 * An expected API error. Each API serializes it in its own format: Auth API `code` and `message` or `msg`, Data API
 * `{code, message, details, hint}`, Functions API `{error, code}`.
 */
export class ApiError extends Error {
  readonly status: number;
  /** Error code of the API, for example `validation_failed` or `PGRST116`. */
  readonly code: string;
  readonly details: unknown;
  readonly hint: string | null;
  /** Headers of the response, for example `Retry-After` in seconds. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    options: {
      details?: unknown;
      hint?: string | null;
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.details = options.details ?? null;
    this.hint = options.hint ?? null;
    this.headers = options.headers ?? {};
  }
}
