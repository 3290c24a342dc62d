/** The phone number at which the administrator of the request can be called. It is on the emergency sheet. */
import type { OwnPhoneResponse } from '@lanternrock/contract/account-contacts';
import { type Transaction, sql } from '@lanternrock/postgres';
import { formatPhone, parsePhone } from '../phone-numbers.ts';

export async function readOwnPhone(tx: Transaction): Promise<OwnPhoneResponse> {
  const [profile] = await tx.query<{ phone: string | null }>(
    sql`select phone from public.profiles where id = auth.uid()`,
  );
  const phone = profile?.phone ?? null;
  return { phone, phone_text: formatPhone(phone) };
}

/**
 * @param text null removes the number
 * @param defaultCountry see `parsePhone`
 * @throws DomainError invalid_phone
 */
export async function setOwnPhone(
  tx: Transaction,
  text: string | null,
  defaultCountry: string,
): Promise<OwnPhoneResponse> {
  const phone = text === null ? null : parsePhone(text, defaultCountry);
  await tx.query(
    sql`update public.profiles set phone = ${phone} where id = auth.uid() and phone is distinct from ${phone}`,
  );
  return readOwnPhone(tx);
}
