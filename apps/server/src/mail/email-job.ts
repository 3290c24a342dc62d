/** Types of email jobs and their outcomes. */

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

export const emailKinds = [
  'invitation',
  'recovery',
  'confirmation',
  'magic_link',
  'email_change',
  'reauthentication',
  ...noticeKinds,
  'test',
] as const;
export type EmailKind = (typeof emailKinds)[number];

export interface EmailJob {
  readonly kind: EmailKind;
  /** One normalized email address. */
  readonly to: string;
  readonly userId?: string | null;
  readonly invitationId?: string | null;
  /** The only link in the email, to SITE_URL. */
  readonly link?: string;
  /** One-time code for manual input. */
  readonly code?: string;
  /** Expiry of the link and the code. Shown in the email; an expired email is not sent. */
  readonly expiresAt?: Date;
  /**
   * Values for sentences: `fullName`, `newEmail`, `factor`, `provider`, `firstPassword`, `removed`, `actor`, `user`.
   * Other users may have chosen them, so they are sanitized when the email is composed.
   */
  readonly data?: Readonly<Record<string, string>>;
  /**
   * True for an email address that gets no email. The same statements run as for a known one, so that the response
   * time does not reveal which addresses exist; the worker deletes the row.
   */
  readonly decoy?: boolean;
}

/** `captured`: SMTP_URL is not set, so the email was saved in the local mailbox and was not sent. */
export type DeliveryOutcome = 'handed_over' | 'captured' | 'refused' | 'timed_out';

/** Returns true if the mail server accepted the email or the local mailbox captured it. */
export const succeeded = (outcome: DeliveryOutcome): boolean =>
  outcome === 'handed_over' || outcome === 'captured';

export interface DeliveryResult {
  readonly outcome: DeliveryOutcome;
  readonly deliveryId: string;
  /** True if a retry may succeed: the failure concerns the mail server and not this email. */
  readonly temporary: boolean;
  /** Response of the mail server or the connection error; null if there is none. */
  readonly answer: string | null;
}
