/**
 * The reads of the accounts screen as data. The boot script sends them while the code is on the way
 * (console-boot.ts), and the data calls take the responses over. Both use the objects of this file.
 */

/** A read of the data interface. */
export interface Read {
  /** Path and query below `/rest/v1`. */
  readonly path: string;
  /** The headers that change the response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Rows of one page of the list of accounts. */
export const accountsPageSize = 200;

/** The order of specification section 7; the id decides between accounts of the same moment. */
export const accountsPath = (limit: number): string =>
  `/accounts?select=*&order=created_at.desc,id.desc&limit=${limit}`;

/** The newest accounts, and the total of all. */
export const newestAccountsRead: Read = {
  path: accountsPath(accountsPageSize),
  headers: { Prefer: 'count=exact' },
};

export const profileRead = (userId: string): Read => ({
  path: `/profiles?select=*&id=eq.${userId}`,
  headers: { Accept: 'application/vnd.pgrst.object+json' },
});

export const platformAdminRead = (userId: string): Read => ({
  path: `/user_roles?select=*&user_id=eq.${userId}&role=eq.platform_admin&limit=1`,
  headers: {},
});

export const membershipsRead = (userId: string): Read => ({
  path: `/account_members?select=*,accounts(*)&user_id=eq.${userId}&status=eq.active`,
  headers: {},
});

interface EarlyAnswer {
  /** Complete URL. */
  readonly url: string;
  /** Access token of the request. */
  readonly token: string;
  readonly answer: Promise<Response>;
}

declare global {
  interface Window {
    /** Not taken yet. */
    earlyAnswers?: EarlyAnswer[];
  }
}

/** Milliseconds after which a response that no call has taken is dropped. */
const lifetime = 15_000;

interface Asker {
  readonly userId: string;
  readonly token: string;
  readonly anonKey: string;
  /** URL of the platform service; the token is sent nowhere else. */
  readonly backend: string;
}

export const prefetchAccountsScreen = ({ userId, token, anonKey, backend }: Asker): void => {
  const reads = [newestAccountsRead, profileRead(userId), platformAdminRead(userId), membershipsRead(userId)];
  const waiting = reads.map(({ path, headers }): EarlyAnswer => {
    const url = `${backend}/rest/v1${path}`;
    const answer = fetch(url, { headers: { ...headers, apikey: anonKey, Authorization: `Bearer ${token}` } });
    // The call that takes the response handles the failure.
    answer.catch(() => undefined);
    return { url, token, answer };
  });
  window.earlyAnswers = waiting;
  setTimeout(() => {
    // A response that is not read would keep its connection.
    for (const { answer } of waiting.splice(0))
      void answer.then(
        ({ body }) => body?.cancel(),
        () => undefined,
      );
  }, lifetime);
};

/** Whether the screen's reads have been sent already. */
export const hasPrefetchedResponses = (): boolean => (window.earlyAnswers?.length ?? 0) > 0;

/** Removes and returns the response for this URL and token; null when there is none, or when the request failed. */
export const takePrefetchedResponse = async (
  url: RequestInfo | URL,
  init: RequestInit | undefined,
  token: string | undefined,
): Promise<Response | null> => {
  const waiting = window.earlyAnswers ?? [];
  const place = waiting.findIndex((early) => early.url === String(url) && early.token === token);
  if (place === -1 || (init?.method ?? 'GET') !== 'GET') return null;
  const [early] = waiting.splice(place, 1);
  const answer = (await early?.answer.catch(() => null)) ?? null;
  init?.signal?.throwIfAborted();
  return answer;
};
