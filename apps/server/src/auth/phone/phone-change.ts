/** Changes of the phone number, which a code sent to the new number confirms. */
import { QueryError } from '@lanternrock/postgres/errors';
import { type Transaction, sql } from '@lanternrock/postgres';
import { ApiError } from '../../errors.ts';
import type { AuthContext } from '../auth-context.ts';
import { sendSecurityNotice } from '../security-notices.ts';
import {
  deleteOneTimeTokens,
  createOneTimeToken,
  storeOneTimeToken,
} from '../one-time-tokens/one-time-tokens.ts';
import { sendSmsCode } from '../one-time-tokens/send-sms-code.ts';
import type { UserRecord } from '../users/user-records.ts';

interface PhoneChange {
  readonly user: UserRecord;
  readonly phone: string;
  readonly channel: string;
}

/** A change whose code was sent and that is not stored yet. */
interface PendingPhoneChange {
  /** The provider's ID of the message; '' if none was sent. */
  readonly messageId: string;
  /**
   * Stores the change and its code.
   *
   * @throws ApiError 422 `phone_exists`
   */
  store(tx: Transaction): Promise<void>;
}

/**
 * Sends the code. Stores nothing, so that an error of the provider changes nothing.
 *
 * @throws ApiError 400 without a provider, 422 `sms_send_failed`, 429 during the cooldown
 */
export async function startPhoneChange(
  context: AuthContext,
  { user, phone, channel }: PhoneChange,
): Promise<PendingPhoneChange> {
  const { config } = context;
  const now = context.now();
  if (config.AUTOCONFIRM && config.PROFILE === 'compat') {
    return {
      messageId: '',
      store: async (tx) => {
        await applyPhoneChange(tx, user.id, phone, now);
        await finishPhoneChange(tx, context, user);
      },
    };
  }
  const oneTimeToken = createOneTimeToken(context, config.OTP_TTL);
  const message = { phone, code: oneTimeToken.code, channel, lastSentAt: user.phone_change_sent_at };
  return {
    messageId: await sendSmsCode(context, message),
    store: async (tx) => {
      await storeOneTimeToken(tx, context, {
        userId: user.id,
        type: 'phone_change',
        oneTimeToken,
        relatesTo: phone,
      });
      await tx.query(sql`update auth.users set phone_change = ${phone}, phone_change_sent_at = ${now}, updated_at = ${now}
        where id = ${user.id}`);
    },
  };
}

/**
 * Applies a confirmed number to the user and to the phone identity.
 *
 * @throws ApiError 422 `phone_exists`
 */
export async function applyPhoneChange(
  tx: Transaction,
  userId: string,
  phone: string,
  now: Date,
): Promise<void> {
  try {
    await tx.query(sql`update auth.users set phone = ${phone}, phone_confirmed_at = ${now}, phone_change = null,
      is_anonymous = false, updated_at = ${now} where id = ${userId}`);
  } catch (error) {
    if (error instanceof QueryError && error.code === '23505') throw phoneExistsError();
    throw error;
  }
  const data = { sub: userId, phone, email_verified: false, phone_verified: true };
  await tx.query(sql`insert into auth.identities (user_id, provider, provider_id, identity_data)
    values (${userId}, 'phone', ${userId}, ${JSON.stringify(data)}::jsonb)
    on conflict (provider, provider_id) do update set identity_data = excluded.identity_data, updated_at = ${now}`);
}

/** Invalidates all earlier messages and sends a security notice. */
export async function finishPhoneChange(
  tx: Transaction,
  context: AuthContext,
  user: UserRecord,
): Promise<void> {
  await deleteOneTimeTokens(tx, user.id);
  await sendSecurityNotice(tx, context, user, 'phone_changed');
}

export const phoneExistsError = (): ApiError =>
  new ApiError(422, 'phone_exists', 'A user with this phone number has already been registered');
