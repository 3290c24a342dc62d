/** The error class of the console, and the messages for error responses without one. */
import { findAuthMessage } from './auth-messages.ts';
import { findField, isObject, tryParseJson } from './json.ts';

/**
 * The source of the error: `network` no response arrived, `auth` the Auth API or a missing session, `data`
 * the Data API, `function` the Functions API, `shape` a response that cannot be parsed.
 */
export type ApiErrorKind = 'network' | 'auth' | 'data' | 'function' | 'shape';

export interface ApiErrorFields {
  readonly kind: ApiErrorKind;
  readonly message: string;
  /** HTTP status; 0 if no response arrived. */
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly details?: string | undefined;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  readonly status: number;
  readonly code: string;
  readonly details: string;
  readonly hint: string;

  constructor(fields: ApiErrorFields) {
    super(fields.message, { cause: fields.cause });
    this.kind = fields.kind;
    this.status = fields.status ?? 0;
    this.code = fields.code ?? '';
    this.details = fields.details ?? '';
    this.hint = fields.hint ?? '';
  }
}

export const unreachableMessage = 'The service cannot be reached. Check your connection and try again.';
/** Code of an error without a response within the time limit. The service may have done what was requested. */
export const timeoutCode = 'timeout';
export const timeoutMessage = 'The service did not respond in time. Check your connection and try again.';
export const unreadableMessage = 'The service returned an invalid response. Try again later.';

const statusMessages: Readonly<Record<number, string>> = {
  401: 'The service did not accept your session. Sign in again.',
  403: 'You do not have permission to do this.',
  404: 'The service does not support this.',
  408: 'The service did not respond in time. Try again.',
  413: 'The request is too large.',
  414: 'The request is too long. Select or enter less.',
  431: 'The request is too long. Select or enter less.',
  429: 'Too many requests. Wait a moment, then try again.',
  502: 'The service is unavailable. Try again in a moment.',
  503: 'The service is unavailable. Try again in a moment.',
  504: 'The service did not respond in time. Try again.',
};

/** Returns the message for an error response whose body has none. */
export const sentenceForStatus = (status: number): string => {
  if (status === 0) return unreachableMessage;
  const fallback =
    status >= 500
      ? 'The service reported an internal error. Try again later.'
      : 'The service rejected the request.';
  return `${statusMessages[status] ?? fallback} (Status ${status})`;
};

/**
 * Returns true if the service could not process the request, so the error says nothing about the request
 * itself.
 */
export const isOutage = ({ kind, status }: ApiError): boolean =>
  kind === 'network' || kind === 'shape' || status >= 500 || status === 429;

/**
 * Returns true if no response of the service arrived, so that it is not known whether it has done what was requested.
 * A proxy sends 502 to 504 in its place.
 */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'network' || (error.status >= 502 && error.status <= 504));

/** Returns the error of a request without a response. The auth client keeps only the message of an error of `fetch`. */
export const networkError = (cause: unknown): ApiError => {
  const isTimeout = String(findField(cause, 'message')).includes(timeoutMessage);
  const fields = isTimeout ? { code: timeoutCode, message: timeoutMessage } : { message: unreachableMessage };
  return new ApiError({ kind: 'network', ...fields, cause });
};

/** Returns the error of a successful response with an unexpected body. */
export const shapeError = (status?: number): ApiError =>
  new ApiError({ kind: 'shape', status, message: unreadableMessage });

/** The auth client stores a new session, and does not convert the error of the browser. */
export const isStorageFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError';

export const storageFullError = (cause: unknown): ApiError =>
  new ApiError({
    kind: 'auth',
    message: `The storage of this site is full. Delete the site data of ${location.host} in your browser settings, then try again.`,
    cause,
  });

export const isJsonObject = (text: string): boolean => isObject(tryParseJson(text));

/**
 * Replaces the body of an error response that is not a JSON object, such as the page of a proxy, by the
 * message for its status: the auth client would use the page as the error message.
 */
export const withJsonError = async (response: Response): Promise<Response> => {
  if (response.status < 400) return response;
  const text = await response.text();
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  if (isJsonObject(text)) return new Response(text, { status, statusText, headers });
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify({ message: sentenceForStatus(status) }), {
    status,
    statusText,
    headers,
  });
};

const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * Finds the message in an error body: `msg` or `message` in the Auth API, `message` in the Data API, `error`
 * in functions.
 */
const findMessage = (kind: ApiErrorKind, body: unknown): string | undefined => {
  const error = findField(body, 'error');
  const functionMessage = nonEmptyText(error) ?? nonEmptyText(findField(error, 'message'));
  const message = nonEmptyText(findField(body, 'message'));
  const found = kind === 'function' ? (functionMessage ?? message) : (message ?? functionMessage);
  return found ?? nonEmptyText(findField(body, 'msg'));
};

/**
 * SQLSTATE insufficient_privilege. Replaced because PostgreSQL's message names tables, which does not help a
 * user.
 */
const notPermittedCode = '42501';
const notPermitted = 'You do not have permission to do this. Ask an administrator for access.';

/** Converts an error body of any of the three APIs. @param fallback the message if the body has none */
export const fromErrorBody = (
  kind: ApiErrorKind,
  status: number,
  body: unknown,
  fallback: string,
): ApiError => {
  // The Auth API sends the HTTP status as `code` if the request names no API version.
  const code = nonEmptyText(findField(body, 'code')) ?? nonEmptyText(findField(body, 'error_code'));
  const replacement =
    code === notPermittedCode
      ? notPermitted
      : kind === 'auth'
        ? findAuthMessage(code ?? '', status)
        : undefined;
  return new ApiError({
    kind,
    status,
    message: replacement ?? findMessage(kind, body) ?? fallback,
    code,
    details: nonEmptyText(findField(body, 'details')),
    hint: nonEmptyText(findField(body, 'hint')),
  });
};

/** Returns the error of an error response. @param fallback the message if the body has none */
export const fromErrorResponse = async (
  kind: ApiErrorKind,
  response: Response,
  fallback = sentenceForStatus(response.status),
): Promise<ApiError> =>
  fromErrorBody(kind, response.status, await response.json().catch(() => undefined), fallback);

/** Converts an error of auth-js, which reports a missing response with status 0 or without a status. */
export const fromAuthError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  const status = findField(error, 'status');
  const message = error instanceof Error ? error.message : '';
  const unreachable =
    findField(error, 'name') === 'AuthRetryableFetchError' && (status === 0 || status === undefined);
  if (unreachable) return networkError(error);
  const responded = typeof status === 'number' && status !== 0;
  // auth-js uses this name for a body that it cannot parse, and includes a part of the body in the message.
  if (findField(error, 'name') === 'AuthUnknownError') {
    return new ApiError({ kind: 'shape', message: unreadableMessage, cause: error });
  }
  // auth-js uses `{}` as the message of a response without one.
  const hasNoMessage = message === '' || message === '{}';
  // auth-js replaces an error with this code by one without it.
  const isMissing = findField(error, 'name') === 'AuthSessionMissingError';
  const code = isMissing ? 'session_not_found' : nonEmptyText(findField(error, 'code'));
  const replacement = findAuthMessage(code ?? '', responded ? status : 0);
  return new ApiError({
    kind: 'auth',
    status: responded ? status : 0,
    message:
      replacement ?? (hasNoMessage ? (responded ? sentenceForStatus(status) : unreadableMessage) : message),
    code,
    cause: error,
  });
};

/** Returns the message of a thrown value, or '' if it is not an Error. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : '');
