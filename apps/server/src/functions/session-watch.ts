/**
 * Function `session-watch`: a long poll that responds when the session ends, or after a timeout. One query, twice a
 * second, serves all waiting requests. An idle page is therefore notified within a second if any replica ends its
 * session.
 */
import type { Context } from 'hono';
import { type Database, sql } from '@lanternrock/postgres';
import type { AppEnv } from '../http/context.ts';
import { DomainError } from '../errors.ts';
import type { Principal } from '@lanternrock/auth';

interface WatchedSession {
  readonly sessionId: string;
  readonly userId: string;
}

export interface SessionWatch {
  /**
   * Waits for the end of a session.
   *
   * @param clientAbort aborts when the client disconnects
   * @returns true when the session has ended; false after the timeout, on `close`, or if one of the limits on waiting
   *   requests is reached
   */
  ended(watched: WatchedSession, clientAbort: AbortSignal): Promise<boolean>;
  /** Ends all waits, and all later ones immediately. Called when the service starts to shut down. */
  close(): void;
}

/** Below the usual timeout of proxies. */
const waitTimeoutMs = 25_000;
const pollIntervalMs = 500;
/** Maximum number of waiting requests in this process. Each occupies a connection. */
const maxWaiting = 2000;
/** Maximum number of waiting requests per user. A further one ends the oldest. */
const maxWaitingPerUser = 16;

export function createSessionWatch(database: Database): SessionWatch {
  const waiting = new Map<(ended: boolean) => void, WatchedSession>();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  const poll = async (): Promise<void> => {
    // A copy, because requests that arrive during the query are not covered by its result.
    const polled = [...waiting];
    const sessionIds = [...new Set(polled.map(([, { sessionId }]) => sessionId))];
    const rows = await database.query<{ id: string }>(
      sql`select s.id from auth.sessions s join auth.users u on u.id = s.user_id
          where s.id = any(${sessionIds}::uuid[]) and (s.not_after is null or s.not_after > now())
            and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())`,
    );
    const active = new Set(rows.map(({ id }) => id));
    for (const [finish, { sessionId }] of polled) if (!active.has(sessionId)) finish(true);
  };
  const schedulePoll = (): void => {
    if (timer !== null || waiting.size === 0) return;
    timer = setTimeout(() => {
      // A database error does not end a session. Other requests of the page report it.
      void poll()
        .catch(() => {})
        .finally(() => {
          timer = null;
          schedulePoll();
        });
    }, pollIntervalMs);
  };

  /** Ends the oldest wait of a user at the limit. The map keeps the order of arrival. */
  const enforceUserLimit = (userId: string): void => {
    const waits = [...waiting].filter(([, watched]) => watched.userId === userId);
    if (waits.length >= maxWaitingPerUser) waits[0]?.[0](false);
  };

  return {
    ended: async (watched, clientAbort) => {
      enforceUserLimit(watched.userId);
      if (closed || waiting.size >= maxWaiting || clientAbort.aborted) return false;
      return new Promise((resolve) => {
        const finish = (ended: boolean): void => {
          clearTimeout(timeout);
          clientAbort.removeEventListener('abort', cancel);
          waiting.delete(finish);
          resolve(ended);
        };
        const cancel = (): void => finish(false);
        const timeout = setTimeout(cancel, waitTimeoutMs);
        clientAbort.addEventListener('abort', cancel);
        waiting.set(finish, watched);
        schedulePoll();
      });
    },
    close: () => {
      closed = true;
      for (const finish of waiting.keys()) finish(false);
    },
  };
}

/** Responds with 204 if the session is active and 401 if it has ended. Keys without a session get 204 immediately. */
export async function waitForSessionEnd(
  c: Context<AppEnv>,
  { sessionId, userId }: Principal,
  watch: SessionWatch,
): Promise<Response> {
  if (sessionId === null || userId === null) return c.body(null, 204);
  if (await watch.ended({ sessionId, userId }, c.req.raw.signal)) {
    throw new DomainError('session_not_found', 'This session has ended.');
  }
  return c.body(null, 204);
}
