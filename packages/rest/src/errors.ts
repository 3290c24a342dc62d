/** An expected error of the Data API in the format of PostgREST: `{code, message, details, hint}`. */
export class RestError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** SQLSTATE or error code of PostgREST, for example `PGRST116`. */
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
      readonly details?: unknown;
      readonly hint?: string | null;
      readonly headers?: Readonly<Record<string, string>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'RestError';
    this.status = status;
    this.code = code;
    this.details = options.details ?? null;
    this.hint = options.hint ?? null;
    this.headers = options.headers ?? {};
  }
}
