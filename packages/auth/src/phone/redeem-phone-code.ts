/** Redeems codes of text messages: sign-in (`sms`) and a new number (`phone_change`). */
import { sql, type Transaction } from '@lanternrock/postgres';
import { invalidCodeError, userBannedError, type AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { ClientInfo } from '../client-info.ts';
import { findTokenByCode, type OneTimeTokenRecord } from '../one-time-tokens/one-time-tokens.ts';
import { deleteOneTimeTokens } from '../users/revocation.ts';
import { finishPhoneChange } from './phone-change.ts';
import { changePhone } from '../users/contact-writes.ts';
import { type ActiveSession } from '../sessions/sessions.ts';
import { createSession } from '../sessions/session-writes.ts';
import { isBanned, findUserById, findUserByPhone } from '../users/user-records.ts';

interface PhoneCode {
  readonly phone: string;
  readonly type: 'sms' | 'phone_change';
  readonly code: string;
  readonly client: ClientInfo;
}

/** @throws AuthError 422 `phone_exists` if another user has confirmed the number concurrently */
export function redeemPhoneCode(
  context: AuthContext,
  phoneCode: PhoneCode,
): Promise<ActiveSession | AuthError> {
  const { phone, type, code, client } = phoneCode;
  const tokenType = type === 'sms' ? 'phone' : 'phone_change';
  return context.database.transaction(async (tx) => {
    const token = await findTokenByCode(tx, context, { types: [tokenType], relatesTo: phone, code });
    const userId = token?.user_id ?? (await findUserByTestCode(tx, context, phoneCode));
    const user = userId ? await findUserById(tx, userId) : null;
    if (!user) return invalidCodeError();
    const now = await context.now(tx);
    if (isBanned(user, now)) return userBannedError();
    await changePhone(tx, user.id, phone, now);
    if (type === 'phone_change') {
      await finishPhoneChange(tx, context, user, client);
      const traits = { changed: 'phone' };
      await writeAuditEntry(tx, { action: 'user_modified', actor: user, client, traits });
    } else await deleteOneTimeTokens(tx, user.id);
    await writeAuditEntry(tx, { action: 'login', actor: user, client, traits: { provider: 'phone' } });
    return createSession(tx, context, { user, method: 'otp', client });
  });
}

/** Fixed codes work only in compatibility runs, and only those of TEST_OTPS. */
async function findUserByTestCode(
  tx: Transaction,
  context: AuthContext,
  { phone, type, code }: PhoneCode,
): Promise<OneTimeTokenRecord['user_id'] | null> {
  if (!context.config.TEST_OTPS.includes(`${phone}=${code}`)) return null;
  if (type === 'sms') return (await findUserByPhone(tx, phone))?.id ?? null;
  const [row] = await tx.query<{ id: string }>(sql`select id from auth.users where phone_change = ${phone}`);
  return row?.id ?? null;
}
