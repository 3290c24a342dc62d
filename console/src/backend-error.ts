/** The one error class of the console: whatever goes wrong at the service arrives in this shape. */

/**
 * Where it went wrong: 'network' no answer came, 'auth' the auth service or a missing session,
 * 'data' the data interface, 'function' a server function, 'shape' an answer nobody can read.
 */
export type BackendErrorKind = 'network' | 'auth' | 'data' | 'function' | 'shape';

export interface BackendErrorFields {
  readonly kind: BackendErrorKind;
  readonly message: string;
  /** HTTP status; 0 when no answer came. */
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly details?: string | undefined;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

export class BackendError extends Error {
  override readonly name = 'BackendError';
  readonly kind: BackendErrorKind;
  readonly status: number;
  readonly code: string;
  readonly details: string;
  readonly hint: string;

  constructor(fields: BackendErrorFields) {
    super(fields.message, { cause: fields.cause });
    this.kind = fields.kind;
    this.status = fields.status ?? 0;
    this.code = fields.code ?? '';
    this.details = fields.details ?? '';
    this.hint = fields.hint ?? '';
  }
}

export const unreachableMessage = 'The service cannot be reached. Check your connection and try again.';
export const unreadableMessage = 'The service sent an answer that cannot be read. Try again later.';

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/**
 * An error body of any of the three services as a BackendError. Auth answers with `msg`, the data
 * interface with `message`, functions with `error`; a body without any of them keeps `fallback`.
 */
export const fromErrorBody = (
  kind: BackendErrorKind,
  status: number,
  body: unknown,
  fallback: string,
): BackendError =>
  new BackendError({
    kind,
    status,
    message:
      textOf(fieldOf(body, 'message')) ??
      textOf(fieldOf(body, 'error')) ??
      textOf(fieldOf(body, 'msg')) ??
      fallback,
    code: textOf(fieldOf(body, 'code')),
    details: textOf(fieldOf(body, 'details')),
    hint: textOf(fieldOf(body, 'hint')),
  });

/** An error of auth-js. It reports a request without answer as status 0 or not at all. */
export const fromAuthError = (error: unknown): BackendError => {
  if (error instanceof BackendError) return error;
  const status = fieldOf(error, 'status');
  const message = error instanceof Error ? error.message : '';
  const unanswered =
    fieldOf(error, 'name') === 'AuthRetryableFetchError' && (status === 0 || status === undefined);
  if (unanswered) return new BackendError({ kind: 'network', message: unreachableMessage, cause: error });
  return new BackendError({
    kind: 'auth',
    status: typeof status === 'number' ? status : 0,
    // auth-js puts `{}` where an answer had no readable body.
    message: message === '' || message === '{}' ? unreadableMessage : message,
    code: textOf(fieldOf(error, 'code')),
    cause: error,
  });
};

/** Anything thrown, as text for a person; '' when it says nothing. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
