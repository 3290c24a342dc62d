/** The emails of the Auth API, and the port that sends them. */
import type { Transaction } from '@lanternrock/postgres';

/** Security notices: emails about a change to sign-in settings. */
export const noticeKinds = [
  'password_changed',
  'email_changed',
  'phone_changed',
  'factor_added',
  'factor_removed',
  'factors_reset',
  'passkey_added',
  'passkey_removed',
  'identity_linked',
  'identity_unlinked',
  'sign_in_failed',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const authEmailKinds = [
  'invitation',
  'recovery',
  'confirmation',
  'magic_link',
  'email_change',
  'reauthentication',
  ...noticeKinds,
] as const;

export interface AuthEmail {
  readonly kind: (typeof authEmailKinds)[number];
  /** One normalized email address. */
  readonly to: string;
  readonly userId?: string | null;
  /** The only link in the email, to SITE_URL. */
  readonly link?: string;
  /** One-time code for manual input. */
  readonly code?: string;
  /** Expiry of the link and the code. Shown in the email; an expired email is not sent. */
  readonly expiresAt?: Date;
  /**
   * Values for sentences: `newEmail`, `factor`, `provider`, `firstPassword`, `removed`, `actor`, `user`. Other users may
   * have chosen them.
   */
  readonly data?: Readonly<Record<string, string>>;
  /**
   * True for an email address that gets no email. The same statements run as for a known one, so that the response
   * time does not reveal which addresses exist.
   */
  readonly decoy?: boolean;
  /** Set by `AuthHooks.setupEmail` for the mailer; the Auth API does not read it. */
  readonly reference?: string;
}

export interface AuthMailer {
  /** Stores the email in the caller's transaction. Call `wake` after the commit. */
  enqueue(tx: Transaction, email: AuthEmail): Promise<void>;
  /** Sends the stored emails. Returns immediately. */
  wake(): void;
}
