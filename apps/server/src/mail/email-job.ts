/** The kinds of emails with their data, the interface of transports, and the outcomes of a delivery. */
import type { SendMailOptions } from 'nodemailer';
import type { EmailInviter } from '@lanternrock/contract/invitations';
import type { NoticeOrigin } from '@lanternrock/auth/notice-origin';
import {
  authEmailKinds,
  noticeKinds as authNoticeKinds,
  type AuthEmailData,
  type EmailRecipient,
  type EmailSecrets,
} from '@lanternrock/auth/ports';

/** Emails about a change to sign-in settings, or to the rights of others. */
export const noticeKinds = [
  ...authNoticeKinds,
  'factors_reset',
  'administrator_invited',
  'administrator_changed',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const emailKinds = [
  ...authEmailKinds,
  'factors_reset',
  'administrator_invited',
  'audit_head',
  'test',
  'member_invitation',
  'backup_problem',
  'administrator_changed',
] as const;
export type EmailKind = (typeof emailKinds)[number];

/** What happened to an invitation, for the notice to the other administrators. */
export type InvitationEvent = 'invited' | 'link_created' | 'accepted' | 'member_link_created';

/** A change of the access of an administrator: the notice to the others, and that to the user (`own_`). */
type AccessEvent =
  | 'removed'
  | 'restored'
  | 'end_changed'
  | 'own_removed'
  | 'own_restored'
  | 'own_end_changed';

/** A change of the requirement of a second factor. */
export type RequirementEvent = 'factor_required' | 'factor_not_required';

/** The data of the notices about administrators. */
export type AdministratorNotice<Event = InvitationEvent | AccessEvent | RequirementEvent> =
  Partial<NoticeOrigin> & {
    readonly event: Event;
    /** '' for the events of the requirement. */
    readonly user: string;
    readonly actor: string;
    /** Name and ID of the account of `member_link_created`. */
    readonly account?: string;
    readonly accountId?: string;
    /** End of the grace period of `factor_required`, RFC 3339. */
    readonly dueAt?: string;
    /** Of `end_changed`: the new end of the role. Of `restored`: the end that has passed. RFC 3339; absent for none. */
    readonly endsAt?: string;
  };

/** The values of the emails of the product, and those that it adds to the emails of the Auth API. */
interface ProductEmailData {
  readonly invitation: { readonly inviter?: string; readonly note?: string };
  /** `account`: its name. `endsAt`: the end date of the membership, RFC 3339. */
  readonly member_invitation: {
    readonly account: string;
    readonly endsAt?: string;
    readonly inviter?: string;
    readonly note?: string;
  };
  /** `user`: whose factors were removed, in the emails to others. */
  readonly factors_reset: NoticeOrigin & { readonly actor: string; readonly user?: string };
  readonly administrator_invited: AdministratorNotice<InvitationEvent>;
  /** Not held back by the notices of invitations. */
  readonly administrator_changed: AdministratorNotice<AccessEvent | RequirementEvent>;
  readonly audit_head: AuditHead;
  /**
   * `at`: time of the failure, or at which the backup was due; `problem`: why it failed, '' if it is overdue; `lastAt`: time of
   * the last complete backup, '' without one.
   */
  readonly backup_problem: Readonly<Record<'at' | 'problem' | 'lastAt', string>>;
  readonly test: object;
}

/** Entry and hash up to which the audit log is sealed, the time of the verification, and what does not fit, or ''. */
type AuditHead = Readonly<Record<'position' | 'hash' | 'at' | 'problem', string>>;

/** The values for the sentences of an email, by its kind. They are sanitized when the email is composed. */
export type EmailData = {
  readonly [Kind in EmailKind]: { readonly fullName?: string } & (Kind extends keyof ProductEmailData
    ? ProductEmailData[Kind]
    : Kind extends keyof AuthEmailData
      ? AuthEmailData[Kind]
      : never);
};

/** An email to send. The worker deletes decoys. */
export type EmailJob<Kind extends EmailKind = EmailKind> = EmailSecrets &
  EmailRecipient & {
    readonly invitationId?: string | null;
    /** The ID of an invitation as a member. */
    readonly memberInvitationId?: string | null;
    /** Who caused the email of an invitation, for its history. */
    readonly inviter?: EmailInviter;
    /** Number of further notices that the email only counts. */
    readonly omitted?: number;
  } & {
    [Each in Kind]: {
      readonly kind: Each;
      readonly data: EmailData[Each];
      /** `data` of earlier notices of the same kind to the same user, oldest first, which this email reports, too. */
      readonly earlier?: readonly EmailData[Each][];
    };
  }[Kind];

/** `captured`: SMTP_URL is not set, so the email was saved in the local mailbox and was not sent. */
export const deliveryOutcomes = ['handed_over', 'captured', 'refused', 'timed_out'] as const;
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

/** Returns true if the mail server accepted the email or the local mailbox captured it. */
export const succeeded = (outcome: DeliveryOutcome | 'waiting'): boolean =>
  outcome === 'handed_over' || outcome === 'captured';

export interface DeliveryResult {
  /** `waiting`: there is no outcome yet. With `retryAt`, the email is queued; without, another call or the worker sends it. */
  readonly outcome: DeliveryOutcome | 'waiting';
  /** Time of the next attempt after a temporary failure; null if there is none. */
  readonly retryAt: Date | null;
  /** Response of the mail server or the connection error; null if there is none. */
  readonly answer: string | null;
}

/** Result of one delivery attempt. */
export interface DeliveryAttempt {
  readonly outcome: DeliveryOutcome;
  /** True if a retry may succeed: after connection errors, rejected credentials and 4xx responses. */
  readonly temporary: boolean;
  /** Response of the mail server or the connection error. */
  readonly serverResponse: string | null;
}

export interface EmailTransport {
  /** Sends one email within `sendTimeoutMs`. Never throws. */
  deliver(message: SendMailOptions): Promise<DeliveryAttempt>;
  close(): Promise<void>;
}

/** Maximum time for one email, in milliseconds. Short, because an administrator waits for the response. */
export const sendTimeoutMs = 10_000;

/** The text of an email, before it is rendered. */
export interface EmailContent {
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** Short lines below the first paragraphs, such as `Device: Firefox on Windows`. */
  readonly details?: readonly string[];
  /** What the recipient can do, below the details. */
  readonly advice?: string;
  /** Text of an administrator, below the paragraphs. */
  readonly quote?: { readonly title: string; readonly lines: readonly string[] };
  /** Label of the link. */
  readonly action?: string;
  /** Replaces the link of the job. To SITE_URL. */
  readonly link?: string;
  /** Notes in small print at the end of the email. */
  readonly notes: readonly string[];
}

/** What the texts say about the instance. */
export interface ContentContext {
  readonly productName: string;
  /** SITE_URL. */
  readonly siteUrl: string;
  /** IANA name of the time zone for dates. */
  readonly timeZone: string;
}
