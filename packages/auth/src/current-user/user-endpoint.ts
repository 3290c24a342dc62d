/** `GET /user` and `PUT /user`: returns the signed-in user, and changes password, contacts and metadata. */
import type { Context } from 'hono';
import { sql } from '@lanternrock/postgres';
import { validateMetadata } from '../users/validate-metadata.ts';
import { audienceMismatchError, AuthError, passwordNotSetError } from '../auth-error.ts';
import type { SignedInUser } from '../endpoint/require-user.ts';
import type { AuthContext } from '../auth-context.ts';
import type { AuthEnv } from '../client-info.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { requestEmailChange, requireEmailChangeCooldown } from '../email-links/email-change.ts';
import { changeEmail } from '../users/contact-writes.ts';
import { emailExistsError, phoneExistsError } from '../users/unique-violations.ts';
import { mergeUserData } from '../users/user-writes.ts';
import {
  tryParseEmail,
  tryParsePhone,
  parseRequiredEmail,
  parseRequiredPhone,
} from '../users/contact-input.ts';
import { readPkceChallenge, type PkceChallenge } from '../one-time-tokens/flow-state.ts';
import { validateNewPassword } from '../users/password-policy.ts';
import { startPhoneChange } from '../phone/phone-change.ts';
import { readRequestedRedirect } from '../one-time-tokens/redirect-urls.ts';
import type { RequestBody } from '../http/request-body.ts';
import { isLinkSession, findInviteReference, toSessionUserJson } from '../sessions/sessions.ts';
import { consumeNonce, passwordUpdate } from '../endpoint/step-up.ts';
import { hashNewPassword, setPassword } from './set-password.ts';
import { needsSetup, findUserByEmail, findUserById, findUserByPhone } from '../users/user-records.ts';

export const getCurrentUser = endpoint(
  { guard: 'user', allow: ['setup', 'factor'] },
  async ({ c, user, session, claims }) => {
    if (claims['aud'] === undefined || claims['aud'] === '') {
      throw audienceMismatchError();
    }
    return c.json(toSessionUserJson(user, session));
  },
);

interface Changes {
  readonly password: string | null;
  /** IDs of the sign-in methods to keep; null without the field. */
  readonly keep: readonly string[] | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly data: Record<string, unknown> | null;
  readonly challenge: PkceChallenge | null;
  readonly redirect: URL | null;
}

/** Returns the sensitive change of a request (password, email or phone), or null. The current value is no change. */
function sensitiveChange({ user }: SignedInUser, body: RequestBody): string | null {
  if (body.has('password')) return passwordUpdate;
  const [email, phone] = [body.getString('email'), body.getString('phone')];
  if (email !== '' && tryParseEmail(email) !== user.email) return 'Email update';
  return phone !== '' && tryParsePhone(phone) !== user.phone ? 'Phone update' : null;
}

export const updateCurrentUser = endpoint(
  {
    guard: 'user',
    allow: ['setup', 'factor'],
    limit: (body, call) => (sensitiveChange(call, body) === null ? 'user' : 'credentials'),
    body: 'required',
    freshFor: sensitiveChange,
  },
  async (call) => {
    const { c, context, body } = call;
    const changes = readChanges(c, body, call, context);
    validateChanges(changes, body, call);
    await requireUnusedContacts(context, call, changes);
    await applyChanges(context, call, changes, body);
    context.mailer.wake();
    const user = await findUserById(context.database, call.user.id);
    if (!user) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
    // Setting the password removed the restriction of the session.
    return c.json(toSessionUserJson(user, changes.password === null ? call.session : null));
  },
);

function readChanges(
  c: Context<AuthEnv>,
  body: RequestBody,
  { user }: SignedInUser,
  context: AuthContext,
): Changes {
  const { config } = context;
  const emailInput = body.getString('email');
  const phoneInput = body.getString('phone');
  const email = emailInput === '' ? null : parseRequiredEmail(emailInput);
  const phone = phoneInput === '' ? null : parseRequiredPhone(phoneInput);
  const password = body.has('password') ? body.getString('password') : null;
  if (password !== null) validateNewPassword(password, config, user.email);
  const data = body.getObject('data');
  if (data !== null) validateMetadata({ ...user.raw_user_meta_data, ...data });
  return {
    password,
    keep: body.getStringArray('keep_sign_in_methods'),
    email: email === user.email ? null : email,
    phone: phone === user.phone ? null : phone,
    data,
    challenge: readPkceChallenge(body, config),
    redirect: readRequestedRedirect(c, context),
  };
}

function validateChanges(
  { password, keep, email, phone, data }: Changes,
  body: RequestBody,
  { user, session }: SignedInUser,
): void {
  if (keep !== null && (password === null || !isLinkSession({ user, session }))) {
    const message = 'keep_sign_in_methods requires a password and a session from a recovery or an invitation';
    throw new AuthError(400, 'validation_failed', message);
  }
  if (body.has('app_metadata')) {
    throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges');
  }
  const changesCredentials = password !== null || email !== null || phone !== null;
  // The metadata contains the name that other users see.
  if (data !== null && user.has_verified_factor && session?.aal !== 'aal2') {
    const message = 'AAL2 session is required to update user data when MFA is enabled.';
    throw new AuthError(401, 'insufficient_aal', message);
  }
  const inSetup = needsSetup(user) || findInviteReference(session) !== null;
  if (
    inSetup &&
    (password === null || email !== null || phone !== null) &&
    (changesCredentials || data !== null)
  ) {
    throw passwordNotSetError();
  }
  if (user.is_anonymous && password !== null && email === null && phone === null) {
    const message = 'Updating password of an anonymous user without an email or phone is not allowed';
    throw new AuthError(422, 'validation_failed', message);
  }
}

async function requireUnusedContacts(
  context: AuthContext,
  { user }: SignedInUser,
  { email, phone }: Changes,
): Promise<void> {
  const byEmail = email === null ? null : await findUserByEmail(context.database, email);
  if (byEmail && byEmail.id !== user.id) throw emailExistsError();
  if (phone === null) return;
  // Checked before the lookup, so that the response does not reveal a known number while phones are disabled.
  if (!context.config.PHONE) throw new AuthError(422, 'phone_provider_disabled', 'Phone logins are disabled');
  const byPhone = await findUserByPhone(context.database, phone);
  if (byPhone && byPhone.id !== user.id) throw phoneExistsError();
}

/**
 * Applies all changes in one transaction. The slow steps, hashing and the text message, run before it.
 */
async function applyChanges(
  context: AuthContext,
  signedInUser: SignedInUser,
  { password, keep, email, phone, data, redirect, challenge }: Changes,
  body: RequestBody,
): Promise<void> {
  if (password === null && email === null && phone === null && data === null) return;
  const { user, claims, client } = signedInUser;
  // Before the hash, which is the most expensive step.
  if (email !== null) await requireEmailChangeCooldown(context, user.id, email);
  const hash = password === null ? null : await hashNewPassword(context, user, password);
  const newPhone =
    phone === null
      ? null
      : await startPhoneChange(context, {
          user,
          phone,
          channel: body.getString('channel'),
          client,
          chosenNumberKey: user.id,
        });
  await context.database.transaction(async (tx) => {
    const now = await context.now(tx);
    // The audit triggers read the actor from these settings.
    await tx.query(sql`select set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
      set_config('request.id', ${client.requestId}, true),
      set_config('request.origin', ${client.origin ?? ''}, true)`);
    // A new password deletes the codes of the user.
    if (hash !== null) await setPassword(tx, context, signedInUser, { hash, keep: keep ?? [] });
    else if (email !== null || phone !== null) await consumeNonce(tx, signedInUser, body);
    if (data !== null) {
      await mergeUserData(tx, user.id, data, now);
      await context.hooks.userDataChanged(tx, { userId: user.id, data });
    }
    if (email !== null) {
      const withoutConfirmation = user.is_anonymous && context.config.AUTOCONFIRM;
      if (withoutConfirmation) await changeEmail(tx, user.id, email, now);
      else await requestEmailChange(tx, context, { user, newEmail: email, redirect, challenge });
    }
    await newPhone?.store(tx);
  });
}
