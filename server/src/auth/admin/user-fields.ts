/** Fields of a user as the service's own key may set them. */
import { Refusal } from '../../errors.ts';
import { hashBounds, kindOfHash } from '../../passwords/stored-hash.ts';
import type { AuthContext } from '../auth-context.ts';
import { requireEmail, requirePhone } from '../users/email-input.ts';
import { checkMetadata } from '../users/metadata-limit.ts';
import { checkNewPassword, refuseLongPassword } from '../users/password-rules.ts';
import type { RequestBody } from '../request-body.ts';
import { parseGoDuration } from './go-duration.ts';

export interface UserFields {
  readonly email: string | null;
  readonly phone: string | null;
  readonly password: string | null;
  readonly passwordHash: string | null;
  readonly emailConfirm: boolean;
  readonly phoneConfirm: boolean;
  readonly userData: Record<string, unknown> | null;
  readonly appData: Record<string, unknown> | null;
  readonly role: string | null;
  /** undefined: unchanged; null: not banned. */
  readonly bannedUntil: Date | null | undefined;
}

const invalid = (message: string): Refusal => new Refusal(400, 'validation_failed', message);

/** Roles that would turn a person's token into the service's own key. */
const reservedRoles = ['service_role', 'supabase_admin', 'postgres', 'authenticator'];

/** @throws Refusal 400, and 422 `weak_password` for updates */
export function readUserFields(
  body: RequestBody,
  context: AuthContext,
  { update = false, currentEmail = null }: { update?: boolean; currentEmail?: string | null } = {},
): UserFields {
  const email = body.text('email') === '' ? null : requireEmail(body.text('email'));
  const phone = body.text('phone') === '' ? null : requirePhone(body.text('phone'));
  const password = body.text('password') || null;
  const passwordHash = body.text('password_hash') || null;
  if (password !== null && passwordHash !== null) {
    throw invalid('Only a password or a password hash should be provided');
  }
  if (password !== null && update) checkNewPassword(password, context.config, email ?? currentEmail);
  else if (password !== null) refuseLongPassword(password);
  if (passwordHash !== null) checkPasswordHash(passwordHash);
  const role = body.text('role') || null;
  if (role !== null && reservedRoles.includes(role)) throw invalid(`The role ${role} is not for people`);
  checkMetadata(body.object('user_metadata') ?? {});
  checkMetadata(body.object('app_metadata') ?? {});
  return {
    email,
    phone,
    password,
    passwordHash,
    emailConfirm: body.flag('email_confirm'),
    phoneConfirm: body.flag('phone_confirm'),
    userData: body.object('user_metadata'),
    appData: body.object('app_metadata'),
    role,
    bannedUntil: readBan(body.text('ban_duration'), context.now()),
  };
}

/** Anybody may have a password compared with it, so that a costly one would hold up everybody's sign-in. */
function checkPasswordHash(hash: string): void {
  const kind = kindOfHash(hash);
  if (kind === 'unknown') throw invalid('password_hash must be a bcrypt or argon2 hash');
  if (kind === 'too costly') throw invalid(`password_hash takes too long to compare: ${hashBounds}`);
}

function readBan(text: string, now: Date): Date | null | undefined {
  if (text === '') return undefined;
  if (text === 'none') return null;
  const duration = parseGoDuration(text);
  if (duration === null) throw invalid(`invalid format for ban duration: ${text.slice(0, 50)}`);
  return new Date(now.getTime() + duration);
}
