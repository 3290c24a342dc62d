/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): an insert that is sent again because
 * its answer was lost gets the first answer, and is not done twice. Key and answer are kept for 24 hours
 * in the transaction of the insert itself.
 */
import { createHash } from 'node:crypto';
import { type Database, type Statement, type Transaction, sql } from '@lanternrock/postgres';
import { settingsStatement, type TransactionSettings } from '../transaction-settings.ts';
import { ApiError } from '../errors.ts';
import type { Principal } from '../principal.ts';
import type { PlainResponse } from './plain-response.ts';
import type { RestRequest } from './parse/rest-request.ts';
import type { ResultRow } from './run-statement.ts';

export interface IdempotencyKey {
  readonly key: string;
  readonly caller: string;
  readonly fingerprint: Buffer;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The key of an insert; null when it carries none or nobody can be told apart from others.
 * @throws ApiError 400 for a key that is no UUID
 */
export function readIdempotencyKey(
  request: RestRequest,
  identity: Principal,
  body: string,
): IdempotencyKey | null {
  const key = request.headers.get('idempotency-key');
  if (key === null || identity.role === 'anon') return null;
  if (!uuid.test(key))
    throw new ApiError(400, 'invalid_idempotency_key', 'The Idempotency-Key header must be a UUID');
  const asked = [
    request.schema,
    request.name,
    request.query,
    request.headers.get('prefer'),
    request.headers.get('accept'),
    body,
  ];
  return {
    key,
    caller: identity.userId ?? identity.role,
    fingerprint: createHash('sha256').update(JSON.stringify(asked)).digest(),
  };
}

interface KeptAnswer {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly headers: string;
  readonly body: string | null;
}

/**
 * Does an insert once per key.
 * @param answer makes the response of the insert's answer row
 * @throws ApiError 409 when the key belongs to another request
 */
export async function runIdempotent(
  database: Database,
  scope: TransactionSettings,
  { key, caller, fingerprint }: IdempotencyKey,
  main: Statement,
  answer: (row: ResultRow) => PlainResponse,
): Promise<PlainResponse> {
  return database.transaction(async (tx) => {
    const kept = await claim(tx, { key, caller, fingerprint });
    // Also a repeated request needs a session that lives.
    await tx.query(settingsStatement(database, scope));
    if (kept)
      return {
        status: kept.status,
        headers: Object.fromEntries(JSON.parse(kept.headers) as [string, string][]),
        body: kept.body,
      };
    const [row] = await tx.query<Record<string, string | null>>(main);
    const made = answer(Object.values(row ?? {}));
    const { status, headers, body } = made;
    await tx.query(
      sql`select private.keep_answer(${caller}, ${key}, ${status}::smallint, ${JSON.stringify(Object.entries(headers))}, ${body})`,
    );
    return made;
  });
}

/** Takes the key; a request that holds it already is waited for, and its answer returned. */
async function claim(
  tx: Transaction,
  { key, caller, fingerprint }: IdempotencyKey,
): Promise<KeptAnswer | null> {
  await tx.query(sql`delete from private.request_keys where created_at < now() - interval '24 hours'`);
  const taken = await tx.query(
    sql`insert into private.request_keys (caller, key, fingerprint) values (${caller}, ${key}, ${fingerprint})
        on conflict (caller, key) do nothing returning 1`,
  );
  if (taken.length > 0) return null;
  const [kept] = await tx.query<KeptAnswer>(
    sql`select fingerprint, status, headers, body from private.request_keys where caller = ${caller} and key = ${key}`,
  );
  if (!kept || !kept.fingerprint.equals(fingerprint)) {
    throw new ApiError(409, 'idempotency_key_reused', 'This Idempotency-Key belongs to another request', {
      hint: 'Send a new key with a new request.',
    });
  }
  return kept;
}
