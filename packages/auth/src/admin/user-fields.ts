/** Reads the fields of a user that a client with the secret key can set. */
import { AuthError } from '../auth-error.ts';
import { hashLimitsText, classifyHash } from '../passwords/imported-hash.ts';
import type { AuthContext } from '../auth-context.ts';
import { parseRequiredEmail, parseRequiredPhone } from '../users/contact-input.ts';
import type { UserChanges } from '../users/user-writes.ts';
import { validateMetadata } from '../users/validate-metadata.ts';
import { validateNewPassword, rejectLongPassword } from '../users/password-policy.ts';
import type { RequestBody } from '../http/request-body.ts';
import { parseGoDuration } from './go-duration.ts';

export interface UserFields extends UserChanges {
  readonly password: string | null;
}

const invalid = (message: string): AuthError => new AuthError(400, 'validation_failed', message);

/** Roles that would give a user's token the rights of the service or of the database owner. */
const reservedRoles = ['service_role', 'supabase_admin', 'postgres', 'authenticator'];

/**
 * Reads and validates the fields.
 *
 * @param options `update`: the user exists. As in Supabase Auth, only an update checks the password policy. `currentEmail`:
 *   for the policy; null for a user without one
 * @throws AuthError 400 `validation_failed`; 422 `weak_password` for an update
 */
export function readUserFields(
  body: RequestBody,
  context: AuthContext,
  now: Date,
  { update = false, currentEmail = null }: { update?: boolean; currentEmail?: string | null } = {},
): UserFields {
  const email = body.getString('email') === '' ? null : parseRequiredEmail(body.getString('email'));
  const phone = body.getString('phone') === '' ? null : parseRequiredPhone(body.getString('phone'));
  const password = body.getString('password') || null;
  const passwordHash = body.getString('password_hash') || null;
  if (password !== null && passwordHash !== null) {
    throw invalid('Only a password or a password hash should be provided');
  }
  if (password !== null && update) validateNewPassword(password, context.config, email ?? currentEmail);
  else if (password !== null) rejectLongPassword(password);
  if (passwordHash !== null) checkPasswordHash(passwordHash);
  const role = body.getString('role') || null;
  if (role !== null && reservedRoles.includes(role))
    throw invalid(`The role ${role} cannot be assigned to a user`);
  validateMetadata(body.getObject('user_metadata') ?? {});
  validateMetadata(body.getObject('app_metadata') ?? {});
  return {
    email,
    phone,
    password,
    passwordHash,
    emailConfirm: body.getBoolean('email_confirm'),
    phoneConfirm: body.getBoolean('phone_confirm'),
    userData: body.getObject('user_metadata'),
    appData: body.getObject('app_metadata'),
    role,
    bannedUntil: parseBanDuration(body.getString('ban_duration'), now),
  };
}

/** Rejects expensive hashes: anyone can start a verification, and each one delays the other sign-ins. */
function checkPasswordHash(hash: string): void {
  const kind = classifyHash(hash);
  if (kind === 'unknown') throw invalid('password_hash must be a bcrypt or argon2 hash');
  if (kind === 'too costly') throw invalid(`password_hash is too costly to verify: ${hashLimitsText}`);
}

function parseBanDuration(text: string, now: Date): Date | null | undefined {
  if (text === '') return undefined;
  if (text === 'none') return null;
  const durationMs = parseGoDuration(text);
  if (durationMs === null) throw invalid(`invalid format for ban duration: ${text.slice(0, 50)}`);
  return new Date(now.getTime() + durationMs);
}
