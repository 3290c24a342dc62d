/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): an insert that is sent again because
 * its answer was lost gets the first answer, and is not done twice. Key and answer are kept for 24 hours
 * in the transaction of the insert itself.
 */
import { createHash } from 'node:crypto';
import type { Database, Statement, Transaction } from '../database/database.ts';
import { scopeStatement, type RequestScope } from '../database/request-scope.ts';
import { sql } from '../database/sql.ts';
import { Refusal } from '../errors.ts';
import type { Identity } from '../identity.ts';
import type { Answer } from './answer.ts';
import type { DataRequest } from './parse/data-request.ts';
import type { AnswerRow } from './run-statement.ts';

export interface RequestKey {
  readonly key: string;
  readonly caller: string;
  readonly fingerprint: Buffer;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The key of an insert; null when it carries none or nobody can be told apart from others.
 * @throws Refusal 400 for a key that is no UUID
 */
export function requestKey(request: DataRequest, identity: Identity, body: string): RequestKey | null {
  const key = request.headers.get('idempotency-key');
  if (key === null || identity.role === 'anon') return null;
  if (!uuid.test(key))
    throw new Refusal(400, 'invalid_idempotency_key', 'The Idempotency-Key header must be a UUID');
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
 * @throws Refusal 409 when the key belongs to another request
 */
export async function runOnce(
  database: Database,
  scope: RequestScope,
  { key, caller, fingerprint }: RequestKey,
  main: Statement,
  answer: (row: AnswerRow) => Answer,
): Promise<Answer> {
  return database.transaction(async (tx) => {
    const kept = await claim(tx, { key, caller, fingerprint });
    // Also a repeated request needs a session that lives.
    await tx.query(scopeStatement(database, scope));
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
async function claim(tx: Transaction, { key, caller, fingerprint }: RequestKey): Promise<KeptAnswer | null> {
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
    throw new Refusal(409, 'idempotency_key_reused', 'This Idempotency-Key belongs to another request', {
      hint: 'Send a new key with a new request.',
    });
  }
  return kept;
}
