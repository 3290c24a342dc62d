/**
 * Keys by which the service recognizes a repeated request. A browser sends a request again if a connection breaks before
 * the response, and a user presses Retry: both send the same key, and the service executes the request once.
 *
 * The service repeats the stored response for a day, so a key must not outlive its action: the same request later is a new
 * action, for example a second removal after a restoration. A key ends with a success of its request, or of another request
 * about the same record. Without a success, it ends two minutes after its last attempt, but not before its dialog closes.
 */
import { isRead } from './deadline.ts';
import { hasFeature } from './runtime-config.ts';

/** Time after an attempt in which an equal request is the same action. */
const horizonMs = 120_000;

/** By two clocks: the first one can be corrected, the second one does not count the time of a suspended device. */
interface Moment {
  readonly date: number;
  readonly uptime: number;
}

const readClocks = (): Moment => ({ date: Date.now(), uptime: performance.now() });

/** Times at which the open dialogs were opened. */
const openDialogs = new Set<Moment>();

/** An open dialog is one action, however long it takes. Call the returned function when it closes. */
export const startDialogAction = (): (() => void) => {
  const opened = readClocks();
  openDialogs.add(opened);
  return () => void openDialogs.delete(opened);
};

/** Returns true if an equal request is still the action of an attempt at this time. */
const isSameAction = ({ date, uptime }: Moment): boolean =>
  (Date.now() - date < horizonMs && performance.now() - uptime < horizonMs) ||
  [...openDialogs].some((opened) => opened.uptime <= uptime);

/**
 * Returns a function that returns true while an equal request belongs to the action that has just failed. Afterwards it can
 * have a second effect.
 */
export const startRetryOffer = (): (() => boolean) => {
  const failed = readClocks();
  return () => isSameAction(failed);
};

interface Action {
  readonly key: string;
  attemptedAt: Moment;
}

/** Actions without a success, by the text of their request. */
const actions = new Map<string, Action>();

const record = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[^\s"@]+@[^\s"@]+/gi;

/**
 * Returns the IDs and email addresses in the text of a request, but not its user, who creates many records. Without one, its
 * function, or the text itself: two new rows are two records.
 */
const findRecordIds = (text: string): readonly string[] =>
  text.replace(/"created_by":"[^"]*"/, '').match(record) ?? [
    /^\S+ \S+\/functions\/v1\/\S+/.exec(text)?.[0] ?? text,
  ];

/** After a success, the response to an earlier request about the same record may no longer be true. */
const removeActions = (text: string): void => {
  const changed = new Set(findRecordIds(text));
  actions.delete(text);
  for (const other of actions.keys())
    if (findRecordIds(other).some((id) => changed.has(id))) actions.delete(other);
};

/** Returns a random UUID. `crypto.randomUUID` needs HTTPS, and the console also runs on local networks without it. */
export const randomUuid = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/** Returns the text that equal requests share; null for requests without a key. */
const toRequestText = (input: RequestInfo | URL, init: RequestInit = {}): string | null => {
  const { method = 'GET', body } = init;
  const url = String(input);
  const isAuth = !/\/(?:rest|functions)\/v1\//.test(url);
  if (!hasFeature('extensions') || isAuth || isRead(url, method)) return null;
  return `${method} ${url} ${typeof body === 'string' ? body : ''}`;
};

/** Sends the request with the key of its action. */
export const withIdempotencyKey = async (
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  send: (init: RequestInit | undefined) => Promise<Response>,
): Promise<Response> => {
  const text = toRequestText(input, init);
  if (text === null) return send(init);
  const known = actions.get(text);
  const action =
    known !== undefined && isSameAction(known.attemptedAt)
      ? known
      : { key: randomUuid(), attemptedAt: readClocks() };
  actions.set(text, action);
  const headers = new Headers(init?.headers);
  headers.set('Idempotency-Key', action.key);
  const response = await send({ ...init, headers }).finally(() => {
    action.attemptedAt = readClocks();
    // Another change may have removed it.
    actions.set(text, action);
  });
  // A rejection says nothing about an earlier attempt without a response.
  if (response.ok) removeActions(text);
  return response;
};
