/** The one error class of the console, and the sentences for responses without a readable message. */

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

const sentences: Readonly<Record<number, string>> = {
  401: 'The service did not accept your session. Sign in again.',
  403: 'You do not have permission to do this.',
  404: 'The service does not offer this.',
  408: 'The service did not respond in time. Try again.',
  413: 'The request is too large.',
  429: 'Too many requests. Wait a moment, then try again.',
  502: 'The service is unavailable. Try again in a moment.',
  503: 'The service is unavailable. Try again in a moment.',
  504: 'The service did not respond in time. Try again.',
};

/** Returns what to show for an error response whose body has no message. */
export const sentenceForStatus = (status: number): string => {
  if (status === 0) return unreachableMessage;
  const other =
    status >= 500
      ? 'The service reported an internal error. Try again later.'
      : 'The service rejected the request.';
  return `${sentences[status] ?? other} (Status ${status})`;
};

/** Returns true if the error says nothing about the request: nothing responded, or something failed there. */
export const isOutage = ({ kind, status }: BackendError): boolean =>
  kind === 'network' || kind === 'shape' || status >= 500 || status === 429;

const isJsonObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
};

/**
 * Returns an error response with the sentence for its status in place of a body that is no JSON object, such
 * as the page of a proxy: the clients would show its text. An empty 404 stays, since it is an empty list for
 * the Data API.
 */
export const withJsonError = async (response: Response): Promise<Response> => {
  if (response.status < 400) return response;
  const text = await response.text();
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  const isEmptyList = status === 404 && text === '';
  if (isEmptyList || isJsonObject(text)) return new Response(text, { status, statusText, headers });
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify({ message: sentenceForStatus(status) }), {
    status,
    statusText,
    headers,
  });
};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Where the message stands: the Auth API writes `msg`, the Data API `message`, functions `error`. */
const messageIn = (kind: BackendErrorKind, body: unknown): string | undefined => {
  const error = fieldOf(body, 'error');
  const ofFunction = textOf(error) ?? textOf(fieldOf(error, 'message'));
  const message = textOf(fieldOf(body, 'message'));
  const found = kind === 'function' ? (ofFunction ?? message) : (message ?? ofFunction);
  return found ?? textOf(fieldOf(body, 'msg'));
};

/** insufficient_privilege: a missing grant or a policy. PostgreSQL's sentence names tables and helps no user. */
const notPermittedCode = '42501';
const notPermitted =
  'Your account does not have the permission for this. Ask an administrator to give you access.';

/** Converts the error body of any of the three services; without a message in it, `fallback` is shown. */
export const fromErrorBody = (
  kind: BackendErrorKind,
  status: number,
  body: unknown,
  fallback: string,
): BackendError =>
  new BackendError({
    kind,
    status,
    message: fieldOf(body, 'code') === notPermittedCode ? notPermitted : (messageIn(kind, body) ?? fallback),
    // Auth answers a request that names no API version with its status as `code`.
    code: textOf(fieldOf(body, 'code')) ?? textOf(fieldOf(body, 'error_code')),
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
  const responded = typeof status === 'number' && status !== 0;
  // auth-js reports a body that it cannot read by this name, with a part of the body in its message.
  if (fieldOf(error, 'name') === 'AuthUnknownError') {
    return new BackendError({ kind: 'shape', message: unreadableMessage, cause: error });
  }
  // auth-js puts `{}` where a response had no message.
  const silent = message === '' || message === '{}';
  return new BackendError({
    kind: 'auth',
    status: responded ? status : 0,
    message: silent ? (responded ? sentenceForStatus(status) : unreadableMessage) : message,
    code: textOf(fieldOf(error, 'code')),
    cause: error,
  });
};

/** Anything thrown, as text for a person; '' when it says nothing. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : '');
