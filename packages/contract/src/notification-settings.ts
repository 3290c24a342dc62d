/** The sender identity of outgoing mail: specification sections 2 and 5. */
import * as z from 'zod/mini';
import { emailField } from './email.ts';
import { maxCodePoints, noControlCharacters, noDirectionControls } from './text-checks.ts';

export const senderNameMaxLength = 100;

export const notificationSettingsSchema = z.object({
  sender_email: emailField('Must be a valid email address'),
  sender_name: z.string().check(
    z.trim(),
    z.minLength(1, 'Sender name is required'),
    noControlCharacters,
    noDirectionControls,
    // The specification asks for "a default message": the wording of zod 3 (reading A17).
    maxCodePoints(senderNameMaxLength, 'String must contain at most 100 character(s)'),
  ),
});

export type NotificationSettingsInput = z.output<typeof notificationSettingsSchema>;

/** Status 200 of the function `send-test-mail`. */
export interface TestEmailResponse {
  /** The mail server took the mail, or, without one, it lies in the mailbox. */
  readonly success: boolean;
  /** No mail server is set: the mail went nowhere. */
  readonly kept: boolean;
  /** The caller's own address. */
  readonly to: string;
  /** The mail server's words, good or bad. */
  readonly answer: string | null;
}

/** Body of `check-sender-domain`: the name under which the mail provider publishes its DKIM key. */
export const dkimSelectorSchema = z.object({
  selector: z.optional(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(120, 'DKIM selector is too long'),
        z.regex(
          /^$|^[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/i,
          'Invalid DKIM selector',
        ),
      ),
  ),
});

/** 'unknown': nobody could be asked, or the question is incomplete. */
export type DomainRecordStatus = 'pass' | 'missing' | 'unknown';

export interface DomainRecord {
  readonly kind: 'SPF' | 'DKIM' | 'DMARC';
  readonly state: DomainRecordStatus;
  /** Where the record belongs; '' when that is not known. */
  readonly name: string;
  /** What was found there, or null. */
  readonly found: string | null;
  /** A value to publish as TXT, or null when only the mail provider knows it. */
  readonly publish: string | null;
  /** What is wrong or not known, as a sentence; '' when nothing is. */
  readonly note: string;
}

/** Status 200 of the function `check-sender-domain`. */
export interface SenderDomainResponse {
  readonly domain: string;
  /** RFC 3339. */
  readonly checked_at: string;
  readonly records: readonly DomainRecord[];
}

/** Status 200 of the function `notification-settings-author`; nulls when nobody signed in has saved. */
export interface SettingsAuthorResponse {
  readonly name: string | null;
  /** RFC 3339. */
  readonly saved_at: string | null;
}
