/** Sends security notices: emails about changes to sign-in settings, in the transaction of the change. */
import type { Transaction } from '@lanternrock/postgres';
import type { SignInMethodRow } from './users/sign-in-methods.ts';
import type { AuthContext } from './auth-context.ts';
import type { ClientInfo } from './client-info.ts';
import { toNoticeOrigin, type NoticeOrigin, type NoticeSource } from './notice-origin.ts';
import type { AuthEmailContent, AuthEmailData, NoticeKind } from './ports.ts';
import type { FactorType, UserRecord } from './users/user-records.ts';

interface SecurityNotice<Kind extends NoticeKind> {
  readonly kind: Kind;
  /** The client that made the change. */
  readonly client: ClientInfo;
  readonly source?: NoticeSource;
  readonly data: Omit<AuthEmailData[Kind], keyof NoticeOrigin>;
}

/**
 * Enqueues a notice to the address that the user had before the change; users without one get none. The caller wakes
 * the mailer after its commit.
 */
export async function sendSecurityNotice<Kind extends NoticeKind>(
  tx: Transaction,
  { mailer, now }: Pick<AuthContext, 'mailer' | 'now'>,
  user: Pick<UserRecord, 'id' | 'email'>,
  { kind, client, source, data }: SecurityNotice<Kind>,
): Promise<void> {
  if (!user.email) return;
  const origin = toNoticeOrigin({ client, ...(source ? { source } : {}), now: await now(tx) });
  // The compiler does not see that the values belong to the kind.
  const content = { kind, data: { ...data, ...origin } } as unknown as AuthEmailContent;
  await mailer.enqueue(tx, { ...content, to: user.email, userId: user.id });
}

/** Returns the name of a sign-in method for a sentence. */
export const formatMethodLabel = ({ kind, name }: Pick<SignInMethodRow, 'kind' | 'name'>): string =>
  ({
    passkey: `the passkey (${name})`,
    identity: `the sign-in with ${name}`,
    phone: `the phone number ${name}`,
  })[kind];

/** Returns the name of a second factor for a sentence. */
export const formatFactorLabel = ({
  factor_type,
  friendly_name,
}: {
  readonly factor_type: FactorType;
  readonly friendly_name: string;
}): string => {
  const title = { totp: 'An authenticator app', phone: 'A phone', webauthn: 'A security key' }[factor_type];
  return friendly_name === '' ? title : `${title} (${friendly_name})`;
};
