/**
 * What the accounts screen asks for when it opens, asked for while its code is still on the way
 * (console-boot.ts), and how the data calls take the answers over. That both sides ask the same,
 * e2e/own-product/page-weight.spec.ts shows: each of the four is asked for once.
 */

interface EarlyAnswer {
  /** Complete address. */
  readonly url: string;
  /** The headers that change the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whose question it was. */
  readonly token: string;
  readonly answer: Promise<Response>;
}

declare global {
  interface Window {
    /** Not taken yet. */
    earlyAnswers?: EarlyAnswer[];
  }
}

/** Path and query below `/rest/v1`, and the headers that change the answer. */
const firstReads = (userId: string): readonly [string, Readonly<Record<string, string>>][] => [
  ['/accounts?select=*&order=created_at.desc', { Prefer: 'count=exact' }],
  [`/profiles?select=*&id=eq.${userId}`, { Accept: 'application/vnd.pgrst.object+json' }],
  [`/user_roles?select=*&user_id=eq.${userId}&role=eq.platform_admin`, {}],
  [`/account_members?select=*%2Caccounts%28*%29&user_id=eq.${userId}&status=eq.active`, {}],
];

/** Milliseconds after which what nobody has taken is dropped. */
const lifetime = 15_000;

interface Asker {
  readonly userId: string;
  readonly token: string;
  readonly anonKey: string;
  /** Address of the platform service; the token goes nowhere else. */
  readonly backend: string;
}

export const askEarly = ({ userId, token, anonKey, backend }: Asker): void => {
  const waiting = firstReads(userId).map(([path, headers]): EarlyAnswer => {
    const url = `${backend}/rest/v1${path}`;
    const answer = fetch(url, { headers: { ...headers, apikey: anonKey, Authorization: `Bearer ${token}` } });
    // Whoever takes it sees the failure; until then nobody has to.
    answer.catch(() => undefined);
    return { url, headers, token, answer };
  });
  window.earlyAnswers = waiting;
  setTimeout(() => {
    // An answer that nobody reads would keep its connection.
    for (const { answer } of waiting.splice(0))
      void answer.then(
        ({ body }) => body?.cancel(),
        () => undefined,
      );
  }, lifetime);
};

/** Whether the screen's questions have been asked already. */
export const hasEarlyAnswers = (): boolean => (window.earlyAnswers?.length ?? 0) > 0;

const deciding = ['Accept', 'Prefer'] as const;

/**
 * The answer to this very question of this very person, once; null when there is none, or when it could not
 * be had: then the caller asks as usual.
 */
export const takeEarlyAnswer = async (
  url: RequestInfo | URL,
  init: RequestInit | undefined,
  token: string | undefined,
): Promise<Response | null> => {
  const headers = new Headers(init?.headers);
  const waiting = window.earlyAnswers ?? [];
  const place = waiting.findIndex(
    (early) =>
      early.url === String(url) &&
      early.token === token &&
      deciding.every((name) => headers.get(name) === (early.headers[name] ?? null)),
  );
  if (place === -1 || (init?.method ?? 'GET') !== 'GET') return null;
  const [early] = waiting.splice(place, 1);
  const answer = (await early?.answer.catch(() => null)) ?? null;
  init?.signal?.throwIfAborted();
  return answer;
};
