/** Tells somebody by mail of a change to the own sign-in, in the transaction of the change. */
import type { Transaction } from '@lanternrock/postgres';
import type { NoticeKind } from '../mail/email-job.ts';
import type { SignInMethodRow } from '../sign-in-methods.ts';
import type { AuthContext } from './auth-context.ts';
import type { UserRecord } from './users/user-records.ts';

/**
 * Goes to the address from before the change; people without one hear nothing. The caller wakes the
 * outbox after its commit.
 * @param data what the sentence names: `newEmail`, `factor`, `provider`, `firstPassword`, `removed`
 */
export async function sendSecurityNotice(
  tx: Transaction,
  { outbox }: Pick<AuthContext, 'outbox'>,
  user: Pick<UserRecord, 'id' | 'email'>,
  kind: NoticeKind,
  data: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (user.email) await outbox.enqueue(tx, { kind, to: user.email, userId: user.id, data });
}

/** Names a sign-in method in a sentence. */
export const methodTitle = ({ kind, name }: Pick<SignInMethodRow, 'kind' | 'name'>): string =>
  ({
    passkey: `the passkey (${name})`,
    identity: `the sign-in with ${name}`,
    phone: `the phone number ${name}`,
  })[kind];

/** What people call a factor. */
export const factorLabel = ({
  factor_type,
  friendly_name,
}: {
  readonly factor_type: 'totp' | 'phone' | 'webauthn';
  readonly friendly_name: string;
}): string => {
  const title = { totp: 'An authenticator app', phone: 'A phone', webauthn: 'A security key' }[factor_type];
  return friendly_name === '' ? title : `${title} (${friendly_name})`;
};
