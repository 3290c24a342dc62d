/** Signs up users by email. A sign-up with the address of an existing user looks the same. */
import { randomUUID } from 'node:crypto';
import type { Transaction } from '@lanternrock/postgres';
import type { AuthSettings } from '../settings.ts';
import { userAlreadyExistsError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { ClientInfo } from '../client-info.ts';
import { getCooldownSeconds, requireCooldownElapsed } from '../one-time-tokens/cooldown.ts';
import { enqueueTokenEmail } from '../one-time-tokens/token-email.ts';
import type { PkceChallenge } from '../one-time-tokens/flow-state.ts';
import type { ActiveSession } from '../sessions/sessions.ts';
import { createSession } from '../sessions/session-writes.ts';
import { findUserByEmail, type UserRecord } from '../users/user-records.ts';
import { createUser } from '../users/user-writes.ts';

export interface EmailSignUp {
  readonly email: string;
  readonly passwordHash: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly challenge: PkceChallenge | null;
  readonly redirect: URL | null;
  readonly client: ClientInfo;
}

export interface EmailSignUpResult {
  /** The user as an anonymous client can see it. */
  readonly user: UserRecord;
  /** Null unless `AUTOCONFIRM` is on. */
  readonly activeSession: ActiveSession | null;
}

/**
 * Creates a user and sends the link that confirms the email address.
 *
 * @throws AuthError 422 `user_already_exists` with `AUTOCONFIRM`
 */
export async function signUpByEmail(context: AuthContext, input: EmailSignUp): Promise<EmailSignUpResult> {
  const { config, database, limits } = context;
  const inCooldown = (await limits.emailCooldownSeconds(`confirmation to ${input.email}`)) > 0;
  return database.transaction(async (tx) => {
    const { email, client, challenge, redirect } = input;
    const now = await context.now(tx);
    const existing = await findUserByEmail(tx, email);
    if (existing && config.AUTOCONFIRM) throw userAlreadyExistsError();
    if (existing) {
      // Confirmed or not: the same statements and the same response, which is not the record of another user.
      const pending = !existing.email_confirmed_at;
      if (pending && config.PROFILE === 'compat')
        requireCooldownElapsed(config, existing.confirmation_sent_at, now);
      const shouldSend =
        pending && !inCooldown && getCooldownSeconds(config, existing.confirmation_sent_at, now) === 0;
      await enqueueTokenEmail(tx, context, {
        type: 'signup',
        userId: shouldSend ? existing.id : null,
        email,
        redirect,
        challenge,
      });
      await writeAuditEntry(tx, { action: 'user_repeated_signup', actor: existing, client });
      return { user: buildPlaceholderUser(input, config, now), activeSession: null };
    }
    const user = await createSignedUpUser(tx, context, input);
    await writeAuditEntry(tx, {
      action: 'user_signedup',
      actor: user,
      client,
      traits: { provider: 'email' },
    });
    if (config.AUTOCONFIRM) {
      return { user, activeSession: await createSession(tx, context, { user, method: 'password', client }) };
    }
    await enqueueTokenEmail(tx, context, { type: 'signup', userId: user.id, email, redirect, challenge });
    await writeAuditEntry(tx, { action: 'user_confirmation_requested', actor: user, client });
    return { user: { ...user, confirmation_sent_at: now }, activeSession: null };
  });
}

async function createSignedUpUser(
  tx: Transaction,
  context: AuthContext,
  { email, passwordHash, data }: EmailSignUp,
): Promise<UserRecord> {
  const id = randomUUID();
  const confirmed = context.config.AUTOCONFIRM;
  const userData = { ...data, sub: id, email, email_verified: confirmed, phone_verified: false };
  return createUser(tx, {
    id,
    email,
    passwordHash,
    emailConfirmed: confirmed,
    userData,
    now: await context.now(tx),
  });
}

/**
 * Returns the response for a new address, so that a sign-up does not reveal existing users. In compatibility runs it
 * has no identities, as in Supabase Auth, whose clients detect an existing user by that.
 */
function buildPlaceholderUser({ email, data }: EmailSignUp, config: AuthSettings, now: Date): UserRecord {
  const id = randomUUID();
  const identityData = { sub: id, email, email_verified: false, phone_verified: false };
  const times = { last_sign_in_at: null, created_at: now.toISOString(), updated_at: now.toISOString() };
  const identity = {
    user_id: id,
    provider: 'email',
    provider_id: id,
    identity_data: identityData,
    email,
    ...times,
  };
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    encrypted_password: null,
    email_confirmed_at: null,
    invited_at: null,
    confirmation_sent_at: now,
    recovery_sent_at: null,
    reauthentication_sent_at: null,
    email_change: null,
    email_change_sent_at: null,
    email_change_confirm_status: 0,
    phone: null,
    phone_confirmed_at: null,
    phone_change: null,
    phone_change_sent_at: null,
    confirmed_at: null,
    last_sign_in_at: null,
    raw_app_meta_data: { provider: 'email', providers: ['email'] },
    raw_user_meta_data: { ...data, ...identityData },
    is_anonymous: false,
    has_verified_factor: false,
    banned_until: null,
    deleted_at: null,
    created_at: now,
    updated_at: now,
    identities: config.PROFILE === 'compat' ? [] : [{ id: randomUUID(), ...identity }],
    factors: [],
  };
}
