/** An expected error of the Auth API, in the response `code` and `message` or `msg`. */
export class AuthError extends Error {
  readonly status: number;
  /** Error code of Supabase Auth, for example `validation_failed`. */
  readonly code: string;
  /** `weak_password`: the reasons; an error of an OAuth provider: what it sent. */
  readonly details: unknown;
  /** Headers of the response, for example `Retry-After` in seconds. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    options: { details?: unknown; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'AuthError';
    this.status = status;
    this.code = code;
    this.details = options.details ?? null;
    this.headers = options.headers ?? {};
  }
}
