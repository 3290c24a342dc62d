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
  /** Key of the limit of messages to unconfirmed numbers: the user ID, or another one for requests of any client. */
  readonly chosenNumberKey: string;
}

/** A change that is not stored yet. Its code was sent, except with automatic confirmation. */
interface PendingPhoneChange {
  /** The provider's ID of the message; '' if none was sent. */
  readonly messageId: string;
  /**
   * Stores the change and its code. Automatic confirmation applies the change instead and enqueues a security notice: the
   * caller wakes the mailer.
   *
   * @throws AuthError 422 `phone_exists` with automatic confirmation
   */
  store(tx: Transaction): Promise<void>;
}

/**
 * Sends the code, except with automatic confirmation. Stores no change, so that an error of the provider changes nothing.
 *
 * @throws AuthError 400, 422 and 429 of `sendSmsCode`
 */
export async function startPhoneChange(
  context: AuthContext,
  { user, phone, channel, client, chosenNumberKey }: PhoneChange,
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
    chosenNumberKey,
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

/** Deletes all one-time tokens of the user and enqueues a security notice. The caller wakes the mailer. */
export async function finishPhoneChange(
  tx: Transaction,
  context: AuthContext,
  user: UserRecord,
  client: ClientInfo,
): Promise<void> {
  await deleteOneTimeTokens(tx, user.id);
  await sendSecurityNotice(tx, context, user, { kind: 'phone_changed', client, data: {} });
}
