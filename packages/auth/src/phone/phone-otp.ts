/** Signs up and signs in with a code in a text message. */
import {
  AuthError,
  phoneProviderDisabledError,
  signUpDisabledError,
  userAlreadyExistsError,
} from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { ClientInfo } from '../client-info.ts';
import { createUser, recordSent } from '../users/user-writes.ts';
import { createOneTimeToken, storeOneTimeToken } from '../one-time-tokens/one-time-tokens.ts';
import type { RequestBody } from '../http/request-body.ts';
import { sendSmsCode } from '../one-time-tokens/send-sms-code.ts';
import { buildTokenResponse } from '../sessions/sessions.ts';
import { createSession } from '../sessions/session-writes.ts';
import { findUserByPhone, toUserJson, type UserRecord } from '../users/user-records.ts';

interface PhoneSignUp {
  readonly phone: string;
  readonly passwordHash: string | null;
  readonly body: RequestBody;
  readonly client: ClientInfo;
}

const phoneSignUpsDisabledError = (): AuthError =>
  new AuthError(422, 'phone_provider_disabled', 'Phone signups are disabled');

/** @returns a token response with automatic confirmation, otherwise the user, to whom a code was sent */
export async function signUpByPhone(
  context: AuthContext,
  signUp: PhoneSignUp,
): Promise<Record<string, unknown>> {
  const { config, database } = context;
  const { phone, body, client } = signUp;
  if (!config.PHONE) throw phoneSignUpsDisabledError();
  const existing = await findUserByPhone(database, phone);
  if (existing?.phone_confirmed_at) throw userAlreadyExistsError();
  const user = existing ?? (await createByPhone(context, signUp, { phoneConfirmed: config.AUTOCONFIRM }));
  if (config.AUTOCONFIRM && !existing) {
    const activeSession = await database.transaction((tx) =>
      createSession(tx, context, { user, method: 'password', client }),
    );
    return buildTokenResponse(context, activeSession);
  }
  await sendPhoneOtp(context, user, phone, body.getString('channel'));
  return toUserJson(user);
}

/** `POST /otp` with a phone number. */
export async function handlePhoneOtp(
  context: AuthContext,
  otp: Omit<PhoneSignUp, 'passwordHash'>,
): Promise<{ message_id: string }> {
  const { config, database } = context;
  const { phone, body, client } = otp;
  if (!config.PHONE) throw phoneProviderDisabledError();
  const existing = await findUserByPhone(database, phone);
  if (!existing && !body.getBoolean('create_user', true))
    throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp');
  if (!existing && !config.SIGNUP) throw signUpDisabledError();
  const signUp = { phone, passwordHash: null, body, client };
  const user = existing ?? (await createByPhone(context, signUp, { phoneConfirmed: false }));
  return { message_id: await sendPhoneOtp(context, user, phone, body.getString('channel')) };
}

/** @throws AuthError 422 `phone_exists` if the number was registered concurrently */
function createByPhone(
  context: AuthContext,
  { phone, passwordHash, body, client }: PhoneSignUp,
  { phoneConfirmed }: { readonly phoneConfirmed: boolean },
): Promise<UserRecord> {
  return context.database.transaction(async (tx) => {
    const userData = body.getObject('data') ?? {};
    const now = await context.now(tx);
    const created = await createUser(tx, { phone, passwordHash, phoneConfirmed, userData, now });
    await writeAuditEntry(tx, {
      action: 'user_signedup',
      actor: created,
      client,
      traits: { provider: 'phone' },
    });
    return created;
  });
}

/**
 * Sends a code and stores it after the message was sent.
 *
 * @returns the provider's message ID
 * @throws AuthError 400, 422 and 429 of `sendSmsCode`
 */
export async function sendPhoneOtp(
  context: AuthContext,
  user: UserRecord,
  phone: string,
  channel: string,
): Promise<string> {
  const now = await context.now(context.database);
  const oneTimeToken = createOneTimeToken(now, context.config.OTP_TTL);
  const messageId = await sendSmsCode(context, {
    owner: `sign-in of ${user.id}`,
    phone,
    code: oneTimeToken.code,
    channel,
    lastSentAt: user.confirmation_sent_at,
    chosenNumberKey: null,
  });
  await context.database.transaction(async (tx) => {
    await storeOneTimeToken(tx, context, { userId: user.id, type: 'phone', oneTimeToken, relatesTo: phone });
    await recordSent(tx, user.id, 'confirmation', now);
  });
  return messageId;
}
