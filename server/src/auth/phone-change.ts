/** A new phone number counts once a code sent to it came back. */
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

/** @throws Refusal 400 without a provider, 429 too soon, 422 when the provider refuses */
export async function requestPhoneChange(
  context: AuthContext,
  { user, phone, channel }: PhoneChange,
): Promise<string> {
  const { config, database } = context;
  if (!config.PHONE) throw new Refusal(422, 'phone_provider_disabled', 'Phone logins are disabled');
  const now = context.now();
  if (config.AUTOCONFIRM && config.PROFILE === 'compat') {
    await database.query(sql`update auth.users set phone = ${phone}, phone_confirmed_at = ${now}, updated_at = ${now}
      where id = ${user.id}`);
    return '';
  }
  const secret = newSecret(context, config.OTP_TTL);
  await database.transaction(async (tx) => {
    await storeSecret(tx, context, { userId: user.id, type: 'phone_change', secret, relatesTo: phone });
    await tx.query(sql`update auth.users set phone_change = ${phone}, phone_change_sent_at = ${now}, updated_at = ${now}
      where id = ${user.id}`);
  });
  return sendCode(context, { phone, code: secret.code, channel, lastSentAt: user.phone_change_sent_at });
}
