/** `POST /signup`. Off by default: users are invited. */
import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import type { Transaction } from '@lanternrock/postgres';
import type { AuthSettings } from '../settings.ts';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext, ClientInfo, AuthEnv } from '../auth-context.ts';
import { endpoint } from '../http/endpoint.ts';
import { cooldownSeconds, requireCooldownElapsed } from '../one-time-tokens/cooldown.ts';
import { parseRequiredEmail, parseRequiredPhone } from '../users/contact-input.ts';
import { readPkceChallenge, type PkceChallenge } from '../one-time-tokens/flow-state.ts';
import { sendEmailToken } from '../one-time-tokens/email-token.ts';
import { createUser } from '../users/user-writes.ts';
import { validateNewPassword } from '../users/password-policy.ts';
import { signUpByPhone } from '../phone/phone-otp.ts';
import { readRequestedRedirect } from '../one-time-tokens/redirect-urls.ts';
import type { RequestBody } from '../http/request-body.ts';
import { tokenResponse, type ActiveSession } from '../sessions/sessions.ts';
import { createSession } from '../users/session-writes.ts';
import { findUserByEmail, toUserJson, type UserRecord } from '../users/user-records.ts';

const requireSignUp = ({ context }: { readonly context: AuthContext }): AuthError | null =>
  context.config.SIGNUP
    ? null
    : new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance');

export const signUp = endpoint(
  { guard: 'anyone', limit: 'signup', check: requireSignUp, body: 'required', captcha: true },
  async ({ c, context, client, body }) => {
    const { config } = context;
    const [email, phone] = [body.getString('email'), body.getString('phone')];
    if (email === '' && phone === '') return signUpAnonymously(c, context, body, client);
    if (body.getString('password') === '')
      throw new AuthError(400, 'validation_failed', 'Signup requires a valid password');
    if (email !== '' && phone !== '') {
      throw new AuthError(
        400,
        'validation_failed',
        'Only an email address or phone number should be provided on signup.',
      );
    }
    validateNewPassword(body.getString('password'), config, email || null);
    if (phone !== '') {
      const passwordHash = await context.hasher.hash(body.getString('password'));
      return c.json(
        await signUpByPhone(context, { phone: parseRequiredPhone(phone), passwordHash, body, client }),
      );
    }
    const result = await signUpByEmail(context, {
      email: parseRequiredEmail(email),
      passwordHash: await context.hasher.hash(body.getString('password')),
      data: body.getObject('data') ?? {},
      challenge: readPkceChallenge(body, config),
      redirect: readRequestedRedirect(c, context),
      client,
    });
    context.mailer.wake();
    return c.json('session' in result ? await tokenResponse(context, result) : toUserJson(result));
  },
);

async function signUpAnonymously(
  c: Context<AuthEnv>,
  context: AuthContext,
  body: RequestBody,
  client: ClientInfo,
): Promise<Response> {
  if (!context.config.ANONYMOUS) {
    throw new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled');
  }
  const activeSession = await context.database.transaction(async (tx) => {
    const userData = body.getObject('data') ?? {};
    const user = await createUser(tx, { anonymous: true, userData, now: context.now() });
    await writeAuditEntry(tx, {
      action: 'user_signedup',
      actor: user,
      client,
      traits: { provider: 'anonymous' },
    });
    return createSession(tx, context, { user, method: 'anonymous', client });
  });
  return c.json(await tokenResponse(context, activeSession));
}

export interface EmailSignUp {
  readonly email: string;
  readonly passwordHash: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly challenge: PkceChallenge | null;
  readonly redirect: URL | null;
  readonly client: ClientInfo;
}

/** @returns a session with automatic confirmation, otherwise the user as an anonymous client can see it */
export async function signUpByEmail(
  context: AuthContext,
  input: EmailSignUp,
): Promise<ActiveSession | UserRecord> {
  const { config, database, limits } = context;
  const inCooldown = (await limits.emailCooldownSeconds(`confirmation to ${input.email}`)) > 0;
  return database.transaction(async (tx) => {
    const { email, client, challenge, redirect } = input;
    const now = context.now();
    const existing = await findUserByEmail(tx, email);
    if (existing && config.AUTOCONFIRM)
      throw new AuthError(422, 'user_already_exists', 'User already registered');
    if (existing) {
      // Confirmed or not: the same statements and the same response, which is not the record of another user.
      const pending = !existing.email_confirmed_at;
      if (pending && config.PROFILE === 'compat')
        requireCooldownElapsed(context, existing.confirmation_sent_at);
      const shouldSend =
        pending && !inCooldown && cooldownSeconds(context, existing.confirmation_sent_at) === 0;
      await sendEmailToken(tx, context, {
        type: 'signup',
        userId: shouldSend ? existing.id : null,
        email,
        redirect,
        challenge,
      });
      await writeAuditEntry(tx, { action: 'user_repeated_signup', actor: existing, client });
      return placeholderUser(input, config, now);
    }
    const user = await createSignedUpUser(tx, context, input);
    await writeAuditEntry(tx, {
      action: 'user_signedup',
      actor: user,
      client,
      traits: { provider: 'email' },
    });
    if (config.AUTOCONFIRM) return createSession(tx, context, { user, method: 'password', client });
    await sendEmailToken(tx, context, { type: 'signup', userId: user.id, email, redirect, challenge });
    await writeAuditEntry(tx, { action: 'user_confirmation_requested', actor: user, client });
    return { ...user, confirmation_sent_at: now };
  });
}

function createSignedUpUser(
  tx: Transaction,
  context: AuthContext,
  { email, passwordHash, data }: EmailSignUp,
): Promise<UserRecord> {
  const id = randomUUID();
  const confirmed = context.config.AUTOCONFIRM;
  const userData = { ...data, sub: id, email, email_verified: confirmed, phone_verified: false };
  return createUser(tx, { id, email, passwordHash, emailConfirmed: confirmed, userData, now: context.now() });
}

/**
 * Returns the response for a new address, so that a sign-up does not reveal existing users. In compatibility runs it
 * has no identities, as in Supabase Auth, whose clients detect an existing user by that.
 */
function placeholderUser({ email, data }: EmailSignUp, config: AuthSettings, now: Date): UserRecord {
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
