/** Signing up and signing in by a code in a text message. */
import { sql } from '../../database/sql.ts';
import { Refusal } from '../../errors.ts';
import { writeAudit } from '../audit.ts';
import type { AuthContext, Caller } from '../auth-context.ts';
import { createUser } from '../users/new-user.ts';
import { newSecret, storeSecret } from '../one-time/one-time-tokens.ts';
import type { RequestBody } from '../request-body.ts';
import { sendCode } from '../one-time/send-code.ts';
import { openSession, tokenResponse } from '../sessions/sessions.ts';
import { userByPhone, userJson, type UserRecord } from '../users/user-records.ts';

interface PhoneSignUp {
  readonly phone: string;
  readonly passwordHash: string | null;
  readonly body: RequestBody;
  readonly caller: Caller;
}

const off = (): Refusal => new Refusal(422, 'phone_provider_disabled', 'Phone signups are disabled');

/** A token response with automatic confirmation, else the bare user after a code was sent. */
export async function signUpByPhone(
  context: AuthContext,
  signUp: PhoneSignUp,
): Promise<Record<string, unknown>> {
  const { config, database } = context;
  const { phone, body, caller } = signUp;
  if (!config.PHONE) throw off();
  const known = await userByPhone(database, phone);
  if (known?.phone_confirmed_at) throw new Refusal(422, 'user_already_exists', 'User already registered');
  const user = known ?? (await createByPhone(context, signUp, config.AUTOCONFIRM));
  if (config.AUTOCONFIRM && !known) {
    const opened = await database.transaction((tx) =>
      openSession(tx, context, { user, method: 'password', caller }),
    );
    return tokenResponse(context, opened);
  }
  await sendPhoneCode(context, user, phone, body.text('channel'));
  return userJson(user);
}

/** `POST /otp` with a phone number. */
export async function phoneOtp(
  context: AuthContext,
  otp: Omit<PhoneSignUp, 'passwordHash'>,
): Promise<{ message_id: string }> {
  const { config, database } = context;
  const { phone, body, caller } = otp;
  if (!config.PHONE) throw new Refusal(400, 'phone_provider_disabled', 'Unsupported phone provider');
  const known = await userByPhone(database, phone);
  if (!known && !body.flag('create_user', true))
    throw new Refusal(422, 'otp_disabled', 'Signups not allowed for otp');
  if (!known && !config.SIGNUP)
    throw new Refusal(422, 'signup_disabled', 'Signups not allowed for this instance');
  const user = known ?? (await createByPhone(context, { phone, passwordHash: null, body, caller }, false));
  return { message_id: await sendPhoneCode(context, user, phone, body.text('channel')) };
}

/** @throws Refusal 422 where somebody has taken the number meanwhile */
function createByPhone(
  context: AuthContext,
  { phone, passwordHash, body, caller }: PhoneSignUp,
  phoneConfirmed: boolean,
): Promise<UserRecord> {
  return context.database.transaction(async (tx) => {
    const userData = body.object('data') ?? {};
    const now = context.now();
    const made = await createUser(tx, { phone, passwordHash, phoneConfirmed, userData, now });
    await writeAudit(tx, { action: 'user_signedup', actor: made, caller, traits: { provider: 'phone' } });
    return made;
  });
}

/** @throws Refusal as `sendCode` does; a message that did not leave leaves no code behind */
export async function sendPhoneCode(
  context: AuthContext,
  user: UserRecord,
  phone: string,
  channel: string,
): Promise<string> {
  const secret = newSecret(context, context.config.OTP_TTL);
  const id = await sendCode(context, {
    phone,
    code: secret.code,
    channel,
    lastSentAt: user.confirmation_sent_at,
  });
  await context.database.transaction(async (tx) => {
    await storeSecret(tx, context, { userId: user.id, type: 'phone', secret, relatesTo: phone });
    await tx.query(sql`update auth.users set confirmation_sent_at = ${context.now()} where id = ${user.id}`);
  });
  return id;
}
