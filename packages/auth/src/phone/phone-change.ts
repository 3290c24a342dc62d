/** Changes of the phone number, which a code sent to the new number confirms. */
import type { Transaction } from '@lanternrock/postgres';
import type { AuthContext } from '../auth-context.ts';
import type { ClientInfo } from '../client-info.ts';
import { sendSecurityNotice } from '../security-notices.ts';
import { createOneTimeToken, storeOneTimeToken } from '../one-time-tokens/one-time-tokens.ts';
import { deleteOneTimeTokens } from '../users/revocation.ts';
import { sendSmsCode } from '../one-time-tokens/send-sms-code.ts';
import { changePhone, storePhoneChange } from '../users/contact-writes.ts';
import type { UserRecord } from '../users/user-records.ts';

interface PhoneChange {
  readonly user: UserRecord;
  readonly phone: string;
  readonly channel: string;
  readonly client: ClientInfo;
  /** Counts messages to numbers that are not confirmed. */
  readonly chosenBy: string;
}

/** A change whose code was sent and that is not stored yet. */
interface PendingPhoneChange {
  /** The provider's ID of the message; '' if none was sent. */
  readonly messageId: string;
  /**
   * Stores the change and its code.
   *
   * @throws AuthError 422 `phone_exists`
   */
  store(tx: Transaction): Promise<void>;
}

/**
 * Sends the code. Stores nothing, so that an error of the provider changes nothing.
 *
 * @throws AuthError 400 without a provider, 422 `sms_send_failed`, 429 during the cooldown
 */
export async function startPhoneChange(
  context: AuthContext,
  { user, phone, channel, client, chosenBy }: PhoneChange,
): Promise<PendingPhoneChange> {
  const { config } = context;
  const now = await context.now(context.database);
  if (config.AUTOCONFIRM && config.PROFILE === 'compat') {
    return {
      messageId: '',
      store: async (tx) => {
        await changePhone(tx, user.id, phone, now);
        await finishPhoneChange(tx, context, user, client);
      },
    };
  }
  const oneTimeToken = createOneTimeToken(now, config.OTP_TTL);
  const message = {
    owner: `phone change of ${user.id}`,
    phone,
    code: oneTimeToken.code,
    channel,
    lastSentAt: user.phone_change_sent_at,
    chosenBy,
  };
  return {
    messageId: await sendSmsCode(context, message),
    store: async (tx) => {
      await storeOneTimeToken(tx, context, {
        userId: user.id,
        type: 'phone_change',
        oneTimeToken,
        relatesTo: phone,
      });
      await storePhoneChange(tx, user.id, phone, now);
    },
  };
}

/** Invalidates all earlier messages and sends a security notice. */
export async function finishPhoneChange(
  tx: Transaction,
  context: AuthContext,
  user: UserRecord,
  client: ClientInfo,
): Promise<void> {
  await deleteOneTimeTokens(tx, user.id);
  await sendSecurityNotice(tx, context, user, { kind: 'phone_changed', client, data: {} });
}
