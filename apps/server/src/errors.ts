/**
 * A request that the service refuses on purpose. Each interface prints it in the shape of its own
 * contract: the auth service as `code` and `message`/`msg`, the data interface as
 * `{code, message, details, hint}`, functions as `{error, code}`.
 */
export class ApiError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** The contract's error code, for example `validation_failed` or `PGRST116`. */
  readonly code: string;
  readonly details: unknown;
  readonly hint: string | null;
  /** Headers of the answer, for example `Retry-After` in seconds. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { details?: unknown; hint?: string | null; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.details = more.details ?? null;
    this.hint = more.hint ?? null;
    this.headers = more.headers ?? {};
  }
}
