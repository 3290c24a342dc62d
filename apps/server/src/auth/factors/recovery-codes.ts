/** Recovery codes: ten single-use codes that replace a lost second factor. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type Transaction, sql } from '@lanternrock/postgres';
import { ApiError } from '../../errors.ts';
import { writeAuditEntry } from '../audit.ts';
import { addSeconds, type AuthContext } from '../auth-context.ts';
import { endpoint, type SignedIn } from '../endpoint.ts';
import type { SignedInUser } from '../sessions/require-user.ts';
import { tokenResponse } from '../sessions/sessions.ts';
import { elevateSession } from './elevate-session.ts';
import { requireDecryptableFactors } from './totp.ts';

const codesPerSet = 10;
const triesBeforeLock = 5;
/** Time for which a set rejects all codes after too many failed attempts. */
const lockTime = 900;
/** Without letters and digits that look alike. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

interface CodeSet {
  readonly id: string;
  readonly friendly_name: string;
  readonly failed_tries: number;
  readonly locked_until: Date | null;
}

function newCode(): string {
  const letters: string[] = [];
  while (letters.length < 12) {
    // Bytes above the last multiple of 31 would favor some letters.
    letters.push(
      ...[...randomBytes(24)].flatMap((byte) => (byte < 248 ? [alphabet[byte % alphabet.length] ?? ''] : [])),
    );
  }
  return letters
    .slice(0, 12)
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-');
}

/** Removes the differences that do not count: case, spaces and hyphens. */
const plain = (code: string): string => code.toUpperCase().replaceAll(/[\s-]/g, '');
const hashOf = (context: AuthContext, setId: string, code: string): Buffer =>
  context.keys.hmac(`${setId}:${plain(code)}`, 'recovery code');

async function setOf(tx: Transaction, userId: string): Promise<CodeSet | null> {
  const [found] = await tx.query<CodeSet>(
    sql`select * from auth.recovery_code_sets where user_id = ${userId} for update`,
  );
  return found ?? null;
}

const noSet = (): ApiError => new ApiError(404, 'mfa_factor_not_found', 'Factor not found');

/** Requirements for creating and deleting codes. */
const managesCodes = {
  guard: 'session',
  allow: ['factor'],
  on: ({ user, session }: SignedIn) => {
    if (session.aal !== 'aal2')
      return new ApiError(403, 'insufficient_aal', 'AAL2 required to manage recovery codes');
    return user.has_verified_factor
      ? null
      : new ApiError(422, 'mfa_recovery_codes_sole_factor', 'Recovery codes require another verified factor');
  },
  fresh: true,
} as const;

/** Returns the number of remaining codes. Without codes, `id` is null and both counts are 0. */
export const getRecoveryCodes = endpoint(
  { guard: 'session', allow: ['setup', 'factor'] },
  async ({ c, context, user }) => {
    const [row] = await context.database.query<{
      id: string;
      total: number;
      remaining: number;
    }>(sql`select s.id,
      count(*)::int as total, (count(*) filter (where r.used_at is null))::int as remaining
    from auth.recovery_code_sets s join auth.recovery_codes r on r.set_id = s.id where s.user_id = ${user.id} group by s.id`);
    const { id = null, total = 0, remaining = 0 } = row ?? {};
    return c.json({ id, type: 'recovery_code', total, remaining });
  },
);

export const createRecoveryCodes = endpoint({ ...managesCodes, body: 'optional' }, async (call) => {
  const { c, context, user, body } = call;
  const name = body.getString('friendly_name').slice(0, 200);
  const answer = await context.database.transaction(async (tx) => {
    if (await setOf(tx, user.id)) {
      throw new ApiError(
        422,
        'mfa_verified_factor_exists',
        'Recovery codes already exist; regenerate them instead',
      );
    }
    return makeSet(tx, context, call, name);
  });
  return c.json(answer);
});

export const regenerateRecoveryCodes = endpoint(managesCodes, async (call) => {
  const { c, context, user } = call;
  const answer = await context.database.transaction(async (tx) => {
    const before = await setOf(tx, user.id);
    if (!before) throw noSet();
    await tx.query(sql`delete from auth.recovery_code_sets where id = ${before.id}`);
    return makeSet(tx, context, call, before.friendly_name);
  });
  return c.json(answer);
});

async function makeSet(
  tx: Transaction,
  context: AuthContext,
  { user, caller }: SignedInUser,
  name: string,
): Promise<Record<string, unknown>> {
  const id = randomUUID();
  const codes = Array.from({ length: codesPerSet }, newCode);
  await tx.query(
    sql`insert into auth.recovery_code_sets (id, user_id, friendly_name) values (${id}, ${user.id}, ${name})`,
  );
  for (const code of codes) {
    await tx.query(
      sql`insert into auth.recovery_codes (set_id, code_hash) values (${id}, ${hashOf(context, id, code)})`,
    );
  }
  await writeAuditEntry(tx, { action: 'recovery_codes_generated', actor: user, caller });
  return { id, type: 'recovery_code', friendly_name: name, total: codesPerSet, codes };
}

/** Consumes a code and elevates the session to AAL2. */
export const verifyRecoveryCode = endpoint(
  { guard: 'session', allow: ['setup', 'factor'], limit: 'factors', body: 'required' },
  async ({ c, context, user, session, caller, body }) => {
    const code = body.getString('code');
    if (plain(code) === '') throw new ApiError(400, 'validation_failed', 'Code needs to be non-empty');
    const now = context.now();
    const outcome = await context.database.transaction(async (tx) => {
      const found = await setOf(tx, user.id);
      if (!found) return noSet();
      if (found.locked_until && found.locked_until > now) return locked(found.locked_until, now);
      const [used] = await tx.query(sql`update auth.recovery_codes set used_at = ${now}
      where set_id = ${found.id} and code_hash = ${hashOf(context, found.id, code)} and used_at is null returning set_id`);
      await writeAuditEntry(tx, {
        action: 'verification_attempted',
        actor: user,
        caller,
        traits: { factor_type: 'recovery_code' },
      });
      if (!used) {
        await requireDecryptableFactors(tx, context.keys, user.id);
        const lock = found.failed_tries + 1 >= triesBeforeLock ? addSeconds(now, lockTime) : null;
        await tx.query(sql`update auth.recovery_code_sets set locked_until = ${lock},
        failed_tries = case when ${lock !== null}::boolean then 0 else failed_tries + 1 end where id = ${found.id}`);
        return new ApiError(422, 'mfa_verification_failed', 'Invalid recovery code entered');
      }
      await tx.query(
        sql`update auth.recovery_code_sets set failed_tries = 0, locked_until = null where id = ${found.id}`,
      );
      return elevateSession(tx, context, session, 'mfa/recovery_code', null);
    });
    if (outcome instanceof ApiError) throw outcome;
    return c.json(await tokenResponse(context, outcome));
  },
);

function locked(until: Date, now: Date): ApiError {
  const wait = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return new ApiError(429, 'mfa_recovery_codes_locked', 'Too many wrong recovery codes, please wait', {
    headers: { 'Retry-After': String(wait) },
  });
}

export const deleteRecoveryCodes = endpoint(managesCodes, async ({ c, context, user, caller }) => {
  const id = await context.database.transaction(async (tx) => {
    const found = await setOf(tx, user.id);
    if (!found) throw noSet();
    await tx.query(sql`delete from auth.recovery_code_sets where id = ${found.id}`);
    await writeAuditEntry(tx, { action: 'recovery_codes_deleted', actor: user, caller });
    return found.id;
  });
  return c.json({ id });
});
