/** Recovery codes: ten single-use codes that replace a lost second factor. */
import { normalizeCode } from '@lanternrock/contract/typed-code';
import { randomBytes, randomUUID } from 'node:crypto';
import { type Transaction, sql } from '@lanternrock/postgres';
import { addSeconds } from '@lanternrock/postgres/clock';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import { endpoint, type Call, type UserWithSession } from '../endpoint/endpoint.ts';
import type { SignedInUser } from '../endpoint/require-user.ts';
import { buildTokenResponse, type ActiveSession } from '../sessions/sessions.ts';
import { elevateSession } from '../sessions/session-writes.ts';
import { factorNotFoundError } from '../factors/factor-records.ts';
import { readMethodName } from '../factors/method-name.ts';
import { sendSecurityNotice } from '../security-notices.ts';
import { requireDecryptableFactors } from '../factors/totp.ts';

const codesPerSet = 10;
const maxFailedAttempts = 5;
/** Time for which a set rejects all codes after too many failed attempts. */
const lockSeconds = 900;
/** Without letters and digits that look alike. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

interface CodeSet {
  readonly id: string;
  readonly friendly_name: string;
  readonly failed_tries: number;
  readonly locked_until: Date | null;
}

function generateCode(): string {
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

const hashCode = (context: AuthContext, setId: string, code: string): Buffer =>
  context.keys.hmac(`${setId}:${normalizeCode(code).toUpperCase()}`, 'recovery code');

async function lockCodeSet(tx: Transaction, userId: string): Promise<CodeSet | null> {
  const [codeSet] = await tx.query<CodeSet>(
    sql`select * from auth.recovery_code_sets where user_id = ${userId} for update`,
  );
  return codeSet ?? null;
}

/** Requirements for creating and deleting codes. */
const manageCodes = {
  guard: 'session',
  allow: ['factor'],
  limit: 'methods',
  check: ({ user, session }: UserWithSession) => {
    if (session.aal !== 'aal2')
      return new AuthError(403, 'insufficient_aal', 'AAL2 required to manage recovery codes');
    return user.has_verified_factor
      ? null
      : new AuthError(
          422,
          'mfa_recovery_codes_sole_factor',
          'Recovery codes require another verified factor',
        );
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

export const createRecoveryCodes = endpoint({ ...manageCodes, body: 'optional' }, async (call) => {
  const { c, context, user, body } = call;
  const name = readMethodName(body, 'friendly_name', 200);
  const response = await context.database.transaction(async (tx) => {
    if (await lockCodeSet(tx, user.id)) {
      throw new AuthError(
        422,
        'mfa_verified_factor_exists',
        'Recovery codes already exist; regenerate them instead',
      );
    }
    return createCodeSet(tx, context, call, name);
  });
  return c.json(response);
});

export const regenerateRecoveryCodes = endpoint(manageCodes, async (call) => {
  const { c, context, user } = call;
  const response = await context.database.transaction(async (tx) => {
    const previous = await lockCodeSet(tx, user.id);
    if (!previous) throw factorNotFoundError();
    await tx.query(sql`delete from auth.recovery_code_sets where id = ${previous.id}`);
    return createCodeSet(tx, context, call, previous.friendly_name);
  });
  return c.json(response);
});

async function createCodeSet(
  tx: Transaction,
  context: AuthContext,
  { user, client }: SignedInUser,
  name: string,
): Promise<Record<string, unknown>> {
  const id = randomUUID();
  const codes = Array.from({ length: codesPerSet }, generateCode);
  await tx.query(
    sql`insert into auth.recovery_code_sets (id, user_id, friendly_name) values (${id}, ${user.id}, ${name})`,
  );
  for (const code of codes) {
    await tx.query(
      sql`insert into auth.recovery_codes (set_id, code_hash) values (${id}, ${hashCode(context, id, code)})`,
    );
  }
  await writeAuditEntry(tx, { action: 'recovery_codes_generated', actor: user, client });
  return { id, type: 'recovery_code', friendly_name: name, total: codesPerSet, codes };
}

/** Consumes a code and elevates the session to AAL2. */
export const verifyRecoveryCode = endpoint(
  { guard: 'session', allow: ['setup', 'factor'], limit: 'factors', body: 'required' },
  async (call) => {
    const { c, context, user, session, client, body } = call;
    const code = body.getString('code');
    if (normalizeCode(code) === '')
      throw new AuthError(400, 'validation_failed', 'Code needs to be non-empty');
    // Without this attempt, no limit of the network would include recovery codes. The code set locks itself as well.
    const outcome = await context.limits.limitAttempts(
      {
        identifier: user.email ?? user.id,
        client,
        owner: { kind: 'recovery-codes', id: user.id },
        purpose: session.aal === 'aal1' ? 'second_factor' : 'step_up',
      },
      () => context.database.transaction((tx) => consumeCode(tx, call, code)),
      (result) => !(result instanceof AuthError),
    );
    if (outcome instanceof AuthError) throw outcome;
    context.mailer.wake();
    return c.json(await buildTokenResponse(context, outcome));
  },
);

/** @returns the elevated session, or the error to respond with after the transaction has counted the attempt */
async function consumeCode(
  tx: Transaction,
  { context, user, session, client }: Call<'session'>,
  code: string,
): Promise<ActiveSession | AuthError> {
  const codeSet = await lockCodeSet(tx, user.id);
  const now = await context.now(tx);
  if (!codeSet) return factorNotFoundError();
  if (codeSet.locked_until && codeSet.locked_until > now) return lockedError(codeSet.locked_until, now);
  const [consumed] = await tx.query(sql`update auth.recovery_codes set used_at = ${now}
    where set_id = ${codeSet.id} and code_hash = ${hashCode(context, codeSet.id, code)} and used_at is null returning set_id`);
  await writeAuditEntry(tx, {
    action: 'verification_attempted',
    actor: user,
    client,
    traits: { factor_type: 'recovery_code' },
  });
  if (!consumed) {
    await requireDecryptableFactors(tx, context.keys, user.id);
    const lockedUntil = codeSet.failed_tries + 1 >= maxFailedAttempts ? addSeconds(now, lockSeconds) : null;
    await tx.query(sql`update auth.recovery_code_sets set locked_until = ${lockedUntil},
      failed_tries = case when ${lockedUntil !== null}::boolean then 0 else failed_tries + 1 end where id = ${codeSet.id}`);
    return new AuthError(422, 'mfa_verification_failed', 'Invalid recovery code entered');
  }
  await tx.query(
    sql`update auth.recovery_code_sets set failed_tries = 0, locked_until = null where id = ${codeSet.id}`,
  );
  const [unused] = await tx.query<{ count: string }>(
    sql`select count(*)::text as count from auth.recovery_codes where set_id = ${codeSet.id} and used_at is null`,
  );
  await sendSecurityNotice(tx, context, user, {
    kind: 'recovery_code_used',
    client,
    data: { remaining: unused?.count ?? '0' },
  });
  return elevateSession(tx, context, { session, method: 'mfa/recovery_code', factorId: null });
}

function lockedError(until: Date, now: Date): AuthError {
  const waitSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return new AuthError(429, 'mfa_recovery_codes_locked', 'Too many wrong recovery codes, please wait', {
    headers: { 'Retry-After': String(waitSeconds) },
  });
}

export const deleteRecoveryCodes = endpoint(manageCodes, async ({ c, context, user, client }) => {
  const id = await context.database.transaction(async (tx) => {
    const codeSet = await lockCodeSet(tx, user.id);
    if (!codeSet) throw factorNotFoundError();
    await tx.query(sql`delete from auth.recovery_code_sets where id = ${codeSet.id}`);
    await writeAuditEntry(tx, { action: 'recovery_codes_deleted', actor: user, client });
    return codeSet.id;
  });
  return c.json({ id });
});
