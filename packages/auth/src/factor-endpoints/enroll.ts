/** `POST /factors` and `DELETE /factors/{id}`: enroll and unenroll second factors. */
import { randomUUID } from 'node:crypto';
import { sql } from '@lanternrock/postgres';
import { addSeconds } from '@lanternrock/postgres/clock';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import { endpoint, type Call } from '../endpoint/endpoint.ts';
import { findPasskeyError, requirePasskey } from '../endpoint/require-passkey.ts';
import type { SignedInUser } from '../endpoint/require-user.ts';
import { parseRequiredPhone } from '../users/contact-input.ts';
import { formatFactorLabel, sendSecurityNotice } from '../security-notices.ts';
import type { RequestBody } from '../http/request-body.ts';
import { getFactor, findFactorStatus, unverifiedFactorTtlSeconds } from '../factors/factor-records.ts';
import { readMethodName } from '../factors/method-name.ts';
import { createTotpEnrollment } from '../factors/totp.ts';
import type { FactorType } from '../users/user-records.ts';

/** Includes unverified factors. */
const maxFactors = 10;

const enrollmentNeedsAal2Error = (): AuthError =>
  new AuthError(403, 'insufficient_aal', 'AAL2 required to enroll a new factor');

function checkEnrollment(call: Call<'session'>): AuthError | null | Promise<AuthError | null> {
  const { context, user, session } = call;
  if (user.is_anonymous)
    return new AuthError(403, 'no_authorization', 'Anonymous users cannot enroll factors');
  if (user.has_verified_factor && session.aal !== 'aal2') return enrollmentNeedsAal2Error();
  return findPasskeyError(context.database, context, call);
}

export const enrollFactor = endpoint(
  {
    guard: 'session',
    allow: ['factor'],
    limit: 'methods',
    check: checkEnrollment,
    fresh: true,
    body: 'required',
  },
  async (call) => {
    const { c, context, user, session, client, body } = call;
    const type = readType(body, context);
    const name = readMethodName(body, 'friendly_name', 200);
    const { id, details, encryptedSecret, phone } = prepareEnrollment(type, call, body, context);
    await context.database.transaction(async (tx) => {
      await tx.query(sql`delete from auth.mfa_factors where user_id = ${user.id} and status = 'unverified'
      and created_at < ${addSeconds(await context.now(tx), -unverifiedFactorTtlSeconds)}`);
      const factors = await tx.query<{ friendly_name: string; phone: string | null; status: string }>(
        sql`select friendly_name, phone, status::text from auth.mfa_factors where user_id = ${user.id}`,
      );
      if (name !== '' && factors.some((factor) => factor.friendly_name === name))
        throw nameConflictError(name);
      if (factors.length >= maxFactors) {
        const message = 'Maximum number of verified factors reached, unenroll to continue';
        throw new AuthError(422, 'too_many_enrolled_mfa_factors', message);
      }
      if (factors.some(({ status }) => status === 'verified') && session.aal !== 'aal2') {
        throw enrollmentNeedsAal2Error();
      }
      await requirePasskey(tx, context, call);
      if (
        phone !== null &&
        factors.some((factor) => factor.phone === phone && factor.status === 'verified')
      ) {
        const message = 'A verified phone factor already exists, unenroll the existing factor to continue';
        throw new AuthError(422, 'mfa_verified_factor_exists', message);
      }
      await tx.query(sql`insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, secret, phone, created_at, updated_at)
      values (${id}, ${user.id}, ${name}, ${type}::auth.factor_type, ${encryptedSecret}, ${phone}, ${await context.now(tx)}, ${await context.now(tx)})`);
      await writeAuditEntry(tx, {
        action: 'factor_in_progress',
        actor: user,
        client,
        traits: { factor_id: id, factor_type: type },
      });
    });
    return c.json({ id, type, friendly_name: name, ...details });
  },
);

function readType(body: RequestBody, { config }: AuthContext): FactorType {
  const type = body.getString('factor_type');
  if (type === 'phone' && !config.PHONE) throw typeDisabledError('phone', 'Phone');
  if (type === 'webauthn' && !config.PASSKEYS) throw typeDisabledError('webauthn', 'WebAuthn');
  if (type === 'totp' || type === 'phone' || type === 'webauthn') return type;
  throw new AuthError(400, 'validation_failed', 'factor_type needs to be totp, phone, or webauthn');
}

const typeDisabledError = (type: string, title: string): AuthError =>
  new AuthError(422, `mfa_${type}_enroll_not_enabled`, `MFA enroll is disabled for ${title}`);

export const nameConflictError = (name: string): AuthError =>
  new AuthError(
    422,
    'mfa_factor_name_conflict',
    `A factor with the friendly name "${name}" for this user already exists`,
  );

interface PreparedEnrollment {
  readonly id: string;
  readonly encryptedSecret: Uint8Array | null;
  readonly phone: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

function prepareEnrollment(
  type: FactorType,
  { user }: SignedInUser,
  body: RequestBody,
  { config, keys }: AuthContext,
): PreparedEnrollment {
  const id = randomUUID();
  if (type === 'webauthn') return { id, encryptedSecret: null, phone: null, details: {} };
  if (type === 'phone') {
    const phone = parseRequiredPhone(body.getString('phone'));
    return { id, encryptedSecret: null, phone, details: { phone } };
  }
  const issuer = (readMethodName(body, 'issuer', 100) || new URL(config.SITE_URL).host).replaceAll(':', ' ');
  const { encryptedSecret, details } = createTotpEnrollment(
    keys,
    id,
    issuer,
    user.email ?? user.phone ?? user.id,
  );
  return { id, encryptedSecret, phone: null, details: { totp: details } };
}

const removalNeedsAal2Error = (): AuthError =>
  new AuthError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor');

/** Removing an unverified factor requires neither AAL2 nor a fresh session. */
const isVerifiedFactor = ({ c, user }: Call<'session'>): boolean =>
  findFactorStatus(user, c.req.param('id') ?? '') === 'verified';

const checkUnenrollment = (call: Call<'session'>): AuthError | null =>
  isVerifiedFactor(call) && call.session.aal !== 'aal2' ? removalNeedsAal2Error() : null;

/** Removes a factor. The sessions that used it return to AAL1 in the same transaction. */
export const unenrollFactor = endpoint(
  {
    guard: 'session',
    allow: ['factor'],
    // Without a step-up, so another limit than that of the changes with one.
    limit: (_body, call) => (isVerifiedFactor(call) ? 'methods' : 'user'),
    check: checkUnenrollment,
    fresh: isVerifiedFactor,
  },
  async ({ c, context, user, session, client }) => {
    const id = c.req.param('id') ?? '';
    await context.database.transaction(async (tx) => {
      const factor = await getFactor(tx, user.id, id);
      if (factor.status === 'verified' && session.aal !== 'aal2') {
        throw removalNeedsAal2Error();
      }
      await tx.query(sql`delete from auth.mfa_factors where id = ${factor.id}`);
      // Recovery codes replace a lost factor; without another factor they would be one.
      await tx.query(sql`delete from auth.recovery_code_sets s where s.user_id = ${user.id}
      and not exists (select from auth.mfa_factors f where f.user_id = s.user_id and f.status = 'verified')`);
      if (factor.status === 'verified')
        await sendSecurityNotice(tx, context, user, {
          kind: 'factor_removed',
          client,
          data: { factor: formatFactorLabel(factor) },
        });
      await writeAuditEntry(tx, {
        action: 'factor_unenrolled',
        actor: user,
        client,
        traits: { factor_id: id },
      });
    });
    context.mailer.wake();
    return c.json({ id });
  },
);
