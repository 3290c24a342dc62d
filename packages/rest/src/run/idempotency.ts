/**
 * Idempotent inserts and updates with the `Idempotency-Key` header (draft-ietf-httpapi-idempotency-key-header). A retry
 * gets the response of the first request. Key and response are stored in the transaction of the write and valid for 24 hours;
 * the owner of the store deletes older ones.
 */
import { createHash } from 'node:crypto';
import type { Database, Statement, Transaction } from '@lanternrock/postgres';
import { RestError } from '../errors.ts';
import type { PlainResponse, Principal } from '../rest-types.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import type { ResultRow } from './request-runner.ts';

/** SQL names of the store of keys and responses. */
export interface IdempotencyStore {
  /** Table `(caller text, key uuid, fingerprint bytea, status smallint, headers text, body text, created_at timestamptz)`. */
  readonly table: string;
  /** Function `(caller text, key uuid, status smallint, headers text, body text)` that stores the response of a key. */
  readonly storeResponse: string;
}

export interface IdempotencyKey {
  readonly key: string;
  readonly principalId: string;
  readonly fingerprint: Buffer;
}

/** Maximum length of a stored response, in characters. A user can store one for each key. */
const maxStoredChars = 256 * 1024;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the idempotency key of a write; null without the header and for the anonymous role, whose clients cannot be
 * distinguished.
 *
 * @throws RestError 400 invalid_idempotency_key if the key is not a UUID
 */
export function readIdempotencyKey(
  request: ParsedRequest,
  principal: Principal,
  body: string,
): IdempotencyKey | null {
  const key = request.headers.get('idempotency-key');
  if (key === null || principal.role === 'anon') return null;
  if (!uuid.test(key))
    throw new RestError(400, 'invalid_idempotency_key', 'The Idempotency-Key header must be a UUID');
  const fields = [
    request.method,
    request.schema,
    request.name,
    request.query,
    request.headers.get('prefer'),
    request.headers.get('accept'),
    body,
  ];
  return {
    key,
    principalId: principal.userId ?? principal.role,
    fingerprint: createHash('sha256').update(JSON.stringify(fields)).digest(),
  };
}

interface StoredResponse {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly headers: string;
  readonly body: string | null;
}

const responseTooLongError = new RestError(
  400,
  '54000',
  `The response to a request with Idempotency-Key has at most ${maxStoredChars} characters`,
  { hint: 'Send Prefer: return=minimal, request fewer columns with select, or write fewer rows.' },
);

/** Rolls the key back. */
class NothingWritten extends Error {
  readonly response: PlainResponse;

  constructor(response: PlainResponse) {
    super('No row was written');
    this.response = response;
  }
}

/**
 * Runs a write once per key. A write of no row is not stored: it has no effect, and anybody can repeat it with new keys.
 *
 * @param respond builds the response from the result row of the write, whose first column is the number of rows
 * @throws RestError 409 idempotency_key_reused if the key belongs to a different request; 400 if the response is too long
 */
export async function runIdempotent(
  database: Database,
  store: IdempotencyStore,
  idempotencyKey: IdempotencyKey,
  { settings, main }: { readonly settings: Statement; readonly main: Statement },
  respond: (row: ResultRow) => PlainResponse,
): Promise<PlainResponse> {
  const work = database.transaction(async (tx) => {
    const stored = await claimKey(tx, store.table, idempotencyKey);
    // A replay requires an active session as well.
    await tx.query(settings);
    if (stored)
      return {
        status: stored.status,
        headers: Object.fromEntries(JSON.parse(stored.headers) as [string, string][]),
        body: stored.body,
      };
    const [row] = await tx.query<Record<string, string | null>>(main);
    const result: ResultRow = Object.values(row ?? {});
    const response = respond(result);
    if (result[0] === '0') throw new NothingWritten(response);
    if ((response.body?.length ?? 0) > maxStoredChars) throw responseTooLongError;
    const { status, headers, body } = response;
    const { principalId, key } = idempotencyKey;
    await tx.query({
      text: `select ${store.storeResponse}($1, $2, $3, $4, $5)`,
      values: [principalId, key, status, JSON.stringify(Object.entries(headers)), body],
    });
    return response;
  });
  return work.catch((error: unknown) => {
    if (error instanceof NothingWritten) return error.response;
    throw error;
  });
}

/** Inserts the key. If the key exists, waits for a concurrent request with this key and returns its stored response. */
async function claimKey(
  tx: Transaction,
  table: string,
  { key, principalId, fingerprint }: IdempotencyKey,
): Promise<StoredResponse | null> {
  // A key that the purge has not deleted yet is overwritten. Deleting old keys here would make writes wait for each other.
  const inserted = await tx.query({
    text: `insert into ${table} as k (caller, key, fingerprint) values ($1, $2, $3)
        on conflict (caller, key) do update
          set fingerprint = excluded.fingerprint, status = null, headers = null, body = null, created_at = now()
          where k.created_at <= now() - interval '24 hours'
        returning 1`,
    values: [principalId, key, fingerprint],
  });
  if (inserted.length > 0) return null;
  const [stored] = await tx.query<StoredResponse>({
    text: `select fingerprint, status, headers, body from ${table} where caller = $1 and key = $2`,
    values: [principalId, key],
  });
  if (!stored || !stored.fingerprint.equals(fingerprint)) {
    throw new RestError(409, 'idempotency_key_reused', 'This Idempotency-Key belongs to another request', {
      hint: 'Send a new key with a new request.',
    });
  }
  return stored;
}
