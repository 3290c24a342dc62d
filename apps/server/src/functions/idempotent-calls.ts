/**
 * Function calls with the header `Idempotency-Key`. A browser repeats a request if its connection breaks before the
 * response, and a user repeats it after a timeout: the act has its effect once, and every request gets its response. The
 * key is stored in the transaction of the act, the response after the act, because an act can send an email in between.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isUuid } from '@lanternrock/contract/uuid';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { deleteExpired } from '@lanternrock/postgres/delete-expired';
import { DomainError } from '../errors.ts';

/** Milliseconds between two reads of the response of a call that runs in another process. */
const pollIntervalMs = 250;
/** Milliseconds that a repeated request waits for it. */
const waitMs = 20_000;

interface IdempotentCall {
  /** UUID. */
  readonly key: string;
  /** ID of the user, or name of the role. */
  readonly caller: string;
  /** Function and body: the same key with others is rejected. */
  readonly fingerprint: Buffer;
}

/** Stores the key in the transaction of an act. Call it first in every transaction of the call. */
type ClaimKey = (tx: Transaction) => Promise<void>;

export interface IdempotentCalls {
  /**
   * Runs a call once per key. A call that stored no key has changed nothing, and is repeated.
   *
   * @param work returns the body of the response
   * @returns the body as JSON
   * @throws DomainError idempotency_key_reused, call_running, outcome_unknown; the error of `work`
   */
  run(call: IdempotentCall, work: (claim: ClaimKey) => Promise<object>): Promise<string>;
}

/**
 * Deletes expired keys of functions and of the Data API. Not in the transactions that store keys: they would wait for each
 * other.
 */
export const purgeRequestKeys = (database: Database): Promise<void> =>
  deleteExpired(database, 'private.request_keys', sql`created_at <= now() - interval '24 hours'`);

/**
 * Returns the call that the header names.
 *
 * @throws DomainError invalid_idempotency_key
 */
export function createIdempotentCall(
  key: string,
  caller: string,
  request: readonly string[],
): IdempotentCall {
  if (!isUuid(key))
    throw new DomainError('invalid_idempotency_key', 'The Idempotency-Key header must be a UUID.');
  return {
    key: key.toLowerCase(),
    caller,
    fingerprint: createHash('sha256').update(JSON.stringify(request)).digest(),
  };
}

/** The key is stored already: by a call in another process that started at the same time. */
class KeyTakenError extends Error {
  override readonly name = 'KeyTakenError';
}

/** Returns the stored response, or null if the key is unknown. Waits for a call in another process. */
async function findResponse(
  database: Database,
  { key, caller, fingerprint }: IdempotentCall,
): Promise<string | null> {
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += pollIntervalMs) {
    // A process that ended in the middle of a call leaves a key without a response.
    const [stored] = await database.query<{
      fingerprint: Buffer;
      body: string | null;
      abandoned: boolean;
    }>(
      sql`select fingerprint, body, created_at < now() - interval '60 seconds' as abandoned
          from private.request_keys
          where caller = ${caller} and key = ${key} and created_at > now() - interval '24 hours'`,
    );
    if (!stored) return null;
    requireSame(stored.fingerprint, fingerprint);
    if (stored.body !== null) return stored.body;
    if (stored.abandoned) {
      const message =
        'This request was received before, but its result was lost. Reload the page to see whether it succeeded.';
      throw new DomainError('outcome_unknown', message);
    }
    await sleep(pollIntervalMs);
  }
  const message = 'This request is still being processed. Try again in a moment.';
  throw new DomainError('call_running', message, { retryAfterSeconds: 5 });
}

export function createIdempotentCalls(database: Database): IdempotentCalls {
  const running = new Map<string, { readonly fingerprint: Buffer; readonly response: Promise<string> }>();

  const runOnce = async (
    call: IdempotentCall,
    work: (claim: ClaimKey) => Promise<object>,
  ): Promise<string> => {
    const stored = await findResponse(database, call);
    if (stored !== null) return stored;
    const { key, caller, fingerprint } = call;
    let claimed = false;
    const claim: ClaimKey = async (tx) => {
      // Waits for a concurrent transaction with the same key.
      const inserted = await tx.query(
        sql`insert into private.request_keys as k (caller, key, fingerprint) values (${caller}, ${key}, ${fingerprint})
            on conflict (caller, key) do update
              set fingerprint = excluded.fingerprint, status = null, headers = null, body = null, created_at = now()
              where k.created_at <= now() - interval '24 hours'
            returning 1`,
      );
      if (inserted.length === 0 && !claimed) throw new KeyTakenError();
      claimed = true;
    };
    let body: string;
    try {
      body = JSON.stringify(await work(claim));
    } catch (error) {
      const other = error instanceof KeyTakenError ? await findResponse(database, call) : null;
      if (other !== null) return other;
      // An expected error means that nothing was done, also if a transaction was committed.
      if (claimed && error instanceof DomainError) {
        await database.query(
          sql`delete from private.request_keys where caller = ${caller} and key = ${key} and status is null`,
        );
      }
      throw error;
    }
    if (claimed) {
      // Without the response, a repeated request still has no second effect.
      await database
        .query(sql`select private.keep_answer(${caller}, ${key}, 200::smallint, '[]', ${body})`)
        .catch(() => undefined);
    }
    return body;
  };

  return {
    run: async (call, work) => {
      const name = `${call.caller} ${call.key}`;
      const current = running.get(name);
      if (current) {
        requireSame(current.fingerprint, call.fingerprint);
        return current.response;
      }
      const response = runOnce(call, work).finally(() => running.delete(name));
      running.set(name, { fingerprint: call.fingerprint, response });
      return response;
    },
  };
}

/** @throws DomainError idempotency_key_reused */
function requireSame(stored: Buffer, fingerprint: Buffer): void {
  if (stored.equals(fingerprint)) return;
  throw new DomainError('idempotency_key_reused', 'This Idempotency-Key belongs to another request.');
}
