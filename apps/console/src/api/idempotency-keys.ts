/**
 * Keys by which the service recognizes a repeated request. A browser sends a request again if a connection breaks before
 * the response, and a user presses Retry: both send the same key, and the service executes the request once.
 *
 * The service repeats the stored response for a day, so a key must not outlive its act: the same request later is a new
 * act, for example a second removal after a restoration. A request without a success is the same act for two minutes
 * after its last attempt, also after Cancel, until another change succeeds in this browser.
 */
import { readingFunctions } from '@lanternrock/contract/reading-functions';
import { hasFeature } from './runtime-config.ts';

/** Milliseconds after an attempt in which an equal request is the same act. */
const horizonMs = 120_000;

interface Act {
  readonly key: string;
  /** Number of requests that wait for their response. */
  running: number;
  /** Time of the end of the last attempt, in milliseconds. */
  triedAt: number;
}

/** Acts without a success, by the text of their request. */
const acts = new Map<string, Act>();

/** Number of changes that have succeeded in this browser, as far as this document knows. */
let successes = 0;

/** Not `performance.now()`, which does not count the time of a suspended device. */
const isRecent = (time: number): boolean => {
  const age = Date.now() - time;
  // A clock that was set back tells nothing.
  return age >= 0 && age < horizonMs;
};

/** After another change, the response to an earlier request may no longer be true. */
const endActs = (): void => {
  successes += 1;
  for (const [text, act] of acts) if (act.running === 0) acts.delete(text);
};

let otherTabs: BroadcastChannel | undefined;

/** Also the changes of other tabs end the acts of this one. */
const listenToOtherTabs = (): BroadcastChannel => {
  if (otherTabs === undefined) {
    otherTabs = new BroadcastChannel('changes');
    otherTabs.addEventListener('message', endActs);
  }
  return otherTabs;
};

/**
 * Returns a function that tells whether an equal request is still the act that has just failed. Otherwise it can have a
 * second effect.
 */
export const startRetryOffer = (): (() => boolean) => {
  const startedAt = Date.now();
  const before = successes;
  return () => successes === before && isRecent(startedAt);
};

/** Returns a random UUID. `crypto.randomUUID` needs HTTPS, and the console also runs on local networks without it. */
export const randomUuid = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/** Returns true for a request of the Data API or the Functions API that changes something. */
const isChange = (url: string, method: string): boolean => {
  if (['GET', 'HEAD'].includes(method)) return false;
  const [, api, rest = ''] = /\/(rest|functions)\/v1\/(.*)$/.exec(url) ?? [];
  return api === 'rest' || (api === 'functions' && !readingFunctions.has(rest));
};

/** Returns the text that equal requests share; null for requests without a key. */
const requestText = (input: RequestInfo | URL, init: RequestInit = {}): string | null => {
  const { method = 'GET', body } = init;
  const url = String(input);
  if (!hasFeature('idempotency-keys') || !isChange(url, method)) return null;
  return `${method} ${url} ${typeof body === 'string' ? body : ''}`;
};

/** Returns the act of the request: a new one, or that of an equal request. */
const startAttempt = (text: string): Act => {
  const known = acts.get(text);
  const isSame = known !== undefined && (known.running > 0 || isRecent(known.triedAt));
  const act = isSame ? known : { key: randomUuid(), running: 0, triedAt: Date.now() };
  act.running += 1;
  acts.set(text, act);
  return act;
};

/** Sends the request with the key of its act. */
export const withIdempotencyKey = async (
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  send: (init: RequestInit | undefined) => Promise<Response>,
): Promise<Response> => {
  const text = requestText(input, init);
  if (text === null) return send(init);
  const tabs = listenToOtherTabs();
  const act = startAttempt(text);
  const headers = new Headers(init?.headers);
  headers.set('Idempotency-Key', act.key);
  try {
    const response = await send({ ...init, headers });
    // A rejection says nothing about an earlier attempt without a response.
    if (response.ok) {
      acts.delete(text);
      endActs();
      tabs.postMessage(null);
    }
    return response;
  } finally {
    act.running -= 1;
    act.triedAt = Date.now();
  }
};
