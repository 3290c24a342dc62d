/**
 * Function `session-watch`: a page asks and waits; the answer comes when its session has ended, or after
 * a while that it has not. One look at the database serves all who wait, twice a second, so it does not
 * matter which copy of the service ended a session, and a page that nobody touches knows within a second.
 */
import type { Context } from 'hono';
import { type Database, sql } from '@lanternrock/postgres';
import type { AppEnv } from '../http/context.ts';
import { ApiError } from '../errors.ts';
import type { Principal } from '../principal.ts';

interface Watched {
  readonly session: string;
  readonly person: string;
}

export interface SessionWatch {
  /**
   * @param gone aborts when nobody waits for the answer any more
   * @returns true as soon as the session has ended; false after `holdTime`, when waiting makes no sense, or
   *   when the same person waits in `mostOfOne` newer places
   */
  ended(watched: Watched, gone: AbortSignal): Promise<boolean>;
  /** Answers all who wait, and from now on at once: the service is going to stop. */
  close(): void;
}

/** Milliseconds; below what proxies usually wait for an answer. */
const holdTime = 25_000;
const lookEvery = 500;
/** Pages that may wait at this copy; each holds a connection. */
const mostWaiting = 2000;
/** Visible pages of one person; with one more, the eldest is answered and asks again when it likes. */
const mostOfOne = 16;

export function createSessionWatch(database: Database): SessionWatch {
  const waiting = new Map<(ended: boolean) => void, Watched>();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  const look = async (): Promise<void> => {
    // Whoever comes while the database answers was not asked about.
    const asked = [...waiting];
    const sessions = [...new Set(asked.map(([, { session }]) => session))];
    const rows = await database.query<{ id: string }>(
      sql`select s.id from auth.sessions s join auth.users u on u.id = s.user_id
          where s.id = any(${sessions}::uuid[]) and (s.not_after is null or s.not_after > now())
            and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())`,
    );
    const live = new Set(rows.map(({ id }) => id));
    for (const [answer, { session }] of asked) if (!live.has(session)) answer(true);
  };
  const lookAgain = (): void => {
    if (timer !== null || waiting.size === 0) return;
    timer = setTimeout(() => {
      // A database that does not answer ends no session; the page's own calls tell of the trouble.
      void look()
        .catch(() => {})
        .finally(() => {
          timer = null;
          lookAgain();
        });
    }, lookEvery);
  };

  /** The map keeps the order of arrival. */
  const releaseEldest = (person: string): void => {
    const own = [...waiting].filter(([, watched]) => watched.person === person);
    if (own.length >= mostOfOne) own[0]?.[0](false);
  };

  return {
    ended: async (watched, gone) => {
      releaseEldest(watched.person);
      if (closed || waiting.size >= mostWaiting || gone.aborted) return false;
      return new Promise((resolve) => {
        const answer = (ended: boolean): void => {
          clearTimeout(held);
          gone.removeEventListener('abort', leave);
          waiting.delete(answer);
          resolve(ended);
        };
        const leave = (): void => answer(false);
        const held = setTimeout(leave, holdTime);
        gone.addEventListener('abort', leave);
        waiting.set(answer, watched);
        lookAgain();
      });
    },
    close: () => {
      closed = true;
      for (const answer of waiting.keys()) answer(false);
    },
  };
}

/** Answers 204 when the session lives, 401 when it has ended. Keys without a session never wait. */
export async function waitForSessionEnd(
  c: Context<AppEnv>,
  { sessionId, userId }: Principal,
  watch: SessionWatch,
): Promise<Response> {
  if (sessionId === null || userId === null) return c.body(null, 204);
  if (await watch.ended({ session: sessionId, person: userId }, c.req.raw.signal)) {
    throw new ApiError(401, 'session_not_found', 'This session has ended.');
  }
  return c.body(null, 204);
}
