/** What the rest of the service asks the mail part to send, and what became of it. */

/** Mails that tell somebody of a change to the own sign-in. */
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
  /** One plain address in its normal form. */
  readonly to: string;
  readonly userId?: string | null;
  readonly invitationId?: string | null;
  /** The one link of the mail, to SITE_URL. */
  readonly link?: string;
  /** A short code to type. */
  readonly code?: string;
  /** When link and code end; printed in the mail, and the mail is not sent afterwards. */
  readonly expiresAt?: Date;
  /**
   * Values for sentences: `fullName`, `newEmail`, `factor`, `provider`, `firstPassword`, `removed`, `actor`, `user`. They are
   * sanitized, because other people may have chosen them.
   */
  readonly data?: Readonly<Record<string, string>>;
  /**
   * True for an address that gets no mail: the same statements run as for a known one, so that the
   * answer's time does not tell them apart, and the worker throws the row away.
   */
  readonly decoy?: boolean;
}

/** `captured`: no mail server is set, so the email stays in the local mailbox and reaches no other address. */
export type DeliveryOutcome = 'handed_over' | 'captured' | 'refused' | 'timed_out';

/** True where nothing failed: the mail server accepted the email, or the local mailbox took it. */
export const succeeded = (outcome: DeliveryOutcome): boolean =>
  outcome === 'handed_over' || outcome === 'captured';

export interface DeliveryResult {
  readonly outcome: DeliveryOutcome;
  readonly deliveryId: string;
  /** True when the same mail may succeed later: the trouble is the mail server's and not this mail's. */
  readonly temporary: boolean;
  /** The mail server's words, or the connection's error; null when the mail was handed over silently. */
  readonly answer: string | null;
}
