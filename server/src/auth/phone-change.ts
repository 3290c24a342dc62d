/** A new phone number counts once a code sent to it came back. */
import type { Transaction } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { Refusal } from '../errors.ts';
import type { AuthContext } from './auth-context.ts';
import { newSecret, storeSecret } from './one-time-tokens.ts';
import { sendCode } from './send-code.ts';
import type { UserRecord } from './user-records.ts';

interface PhoneChange {
  readonly user: UserRecord;
  readonly phone: string;
  readonly channel: string;
}

/** A change whose code is on its way. */
interface BegunPhoneChange {
  /** The provider's; '' where no message was needed. */
  readonly messageId: string;
  /** Stores it, and the code, which counts from then on. */
  keep(tx: Transaction): Promise<void>;
}

/**
 * Sends the code; nothing is stored yet, so that a provider that refuses leaves everything as it was.
 * @throws Refusal 422 while phones are off, 400 without a provider, 429 too soon, 422 when the provider refuses
 */
export async function beginPhoneChange(
  context: AuthContext,
  { user, phone, channel }: PhoneChange,
): Promise<BegunPhoneChange> {
  const { config } = context;
  if (!config.PHONE) throw new Refusal(422, 'phone_provider_disabled', 'Phone logins are disabled');
  const now = context.now();
  if (config.AUTOCONFIRM && config.PROFILE === 'compat') {
    return {
      messageId: '',
      keep: async (tx) => {
        await tx.query(sql`update auth.users set phone = ${phone}, phone_confirmed_at = ${now}, updated_at = ${now}
          where id = ${user.id}`);
      },
    };
  }
  const secret = newSecret(context, config.OTP_TTL);
  const sent = { phone, code: secret.code, channel, lastSentAt: user.phone_change_sent_at };
  return {
    messageId: await sendCode(context, sent),
    keep: async (tx) => {
      await storeSecret(tx, context, { userId: user.id, type: 'phone_change', secret, relatesTo: phone });
      await tx.query(sql`update auth.users set phone_change = ${phone}, phone_change_sent_at = ${now}, updated_at = ${now}
        where id = ${user.id}`);
    },
  };
}
