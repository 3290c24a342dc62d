/** What a product implements for the Auth API: its decisions inside transactions, and the sending of messages. */
import type { Transaction } from '@lanternrock/postgres';
import type { ClientInfo } from './client-info.ts';
import type { NoticeOrigin } from './notice-origin.ts';

/** The secrets of one email or text message: a token for the link and a six-digit code. */
export interface OneTimeToken {
  readonly token: string;
  readonly code: string;
  readonly expiresAt: Date;
}

/** The user of a valid link of type `invite`. */
export interface InviteTarget {
  readonly userId: string;
  readonly email: string;
  /** The product's ID of the invitation, except `recovery`; null for a link of `POST /invite`. */
  readonly reference: string | null;
}

/**
 * Each method runs in the transaction of the action; all but `resolveInvite` run after the user row is locked.
 * `requiresSecondFactor` also runs before it.
 */
export interface AuthHooks {
  /**
   * Resolves a link of type `invite`, without consuming it. A session from a link with a reference can only set a
   * password. The product can revoke it by the reference.
   *
   * @param link.openedBy the client that opened the link; null for a check
   * @returns null for an unknown link
   */
  resolveInvite(
    tx: Transaction,
    link: { readonly tokenHash: Uint8Array; readonly openedBy: ClientInfo | null; readonly now: Date },
  ): Promise<InviteTarget | 'expired' | null>;
  /**
   * A user sets a first password, or any user in a session from an invite link with a reference.
   *
   * @returns true if this accepts an invitation
   * @throws AuthError to reject the password; everything is rolled back
   */
  passwordSet(
    tx: Transaction,
    event: { readonly userId: string; readonly inviteReference: string | null; readonly now: Date },
  ): Promise<boolean>;
  /**
   * Recovery for a user who never had a password: stores the token and returns the email with it, or null. Runs the
   * same statements with the user null, which represents every other address, known or not.
   */
  setupEmail(
    tx: Transaction,
    request: { readonly userId: string | null; readonly token: OneTimeToken; readonly now: Date },
  ): Promise<AuthEmailContent | null>;
  /** The user changed their own metadata. */
  userDataChanged(
    tx: Transaction,
    change: { readonly userId: string; readonly data: Readonly<Record<string, unknown>> },
  ): Promise<void>;
  /** Returns true if the user has no rights in the product at AAL1, because it requires a second factor of them. */
  requiresSecondFactor(tx: Transaction, userId: string): Promise<boolean>;
}

/** The Auth API without a product around it. */
export const noHooks: AuthHooks = {
  resolveInvite: async () => null,
  passwordSet: async () => false,
  setupEmail: async () => null,
  userDataChanged: async () => {},
  requiresSecondFactor: async () => false,
};

/** Security notices: emails about a change to sign-in settings. */
export const noticeKinds = [
  'password_changed',
  'email_changed',
  'phone_changed',
  'factor_added',
  'factor_removed',
  'recovery_code_used',
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

export type AuthEmailKind = (typeof authEmailKinds)[number];

/** `second_factor`: the first step of the sign-in was correct. `step_up`: to confirm a change in a session. */
export type AttemptPurpose = 'sign_in' | 'second_factor' | 'step_up';

/** The values for the sentences of an email, by its kind. Other users may have chosen them. */
export interface AuthEmailData {
  readonly invitation: object;
  readonly recovery: object;
  readonly confirmation: object;
  readonly magic_link: object;
  /** `needsBoth`: the current email address must confirm the change, too. */
  readonly email_change: { readonly newEmail: string; readonly needsBoth?: 'yes' };
  readonly reauthentication: object;
  readonly password_changed: NoticeOrigin & { readonly firstPassword?: 'yes'; readonly removed?: string };
  readonly email_changed: NoticeOrigin & { readonly newEmail: string };
  readonly phone_changed: NoticeOrigin;
  readonly factor_added: NoticeOrigin & { readonly factor: string };
  readonly factor_removed: NoticeOrigin & { readonly factor: string };
  /** `remaining`: number of unused codes. */
  readonly recovery_code_used: NoticeOrigin & { readonly remaining: string };
  readonly passkey_added: NoticeOrigin;
  readonly passkey_removed: NoticeOrigin;
  readonly identity_linked: NoticeOrigin & { readonly provider: string };
  readonly identity_unlinked: NoticeOrigin & { readonly provider: string };
  readonly sign_in_failed: NoticeOrigin & { readonly purpose: AttemptPurpose };
}

export interface EmailSecrets {
  /** The only link in the email, to SITE_URL. */
  readonly link?: string;
  /** One-time code for manual input. */
  readonly code?: string;
  /** Expiry of the link and the code. Shown in the email; an expired email is not sent. */
  readonly expiresAt?: Date;
}

export interface EmailRecipient {
  /** One normalized email address. */
  readonly to: string;
  readonly userId?: string | null;
  /**
   * True for an email address that gets no email. The same statements run as for a known one, so that the response
   * time does not reveal which addresses exist.
   */
  readonly decoy?: boolean;
}

/** An email without its recipient. */
export type AuthEmailContent = EmailSecrets & {
  /** Set by `AuthHooks.setupEmail` for the mailer; the Auth API does not read it. */
  readonly reference?: string;
} & {
    [Kind in AuthEmailKind]: { readonly kind: Kind; readonly data: AuthEmailData[Kind] };
  }[AuthEmailKind];

export type AuthEmail = AuthEmailContent & EmailRecipient;

export interface AuthMailer {
  /** Stores the email in the caller's transaction. Call `wake` after the commit. */
  enqueue(tx: Transaction, email: AuthEmail): Promise<void>;
  /** Sends the stored emails. Returns immediately. */
  wake(): void;
}

/** A text message. The package has no sender of its own. */
export interface SmsMessage {
  /** E.164 without the plus sign. */
  readonly to: string;
  readonly text: string;
  readonly channel: 'sms' | 'whatsapp';
}

export interface SmsSender {
  /**
   * Sends a text message.
   *
   * @returns the provider's message ID
   * @throws Error if the provider rejects the message
   */
  send(message: SmsMessage): Promise<string>;
}
