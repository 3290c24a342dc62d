/** The schema of the sender settings and types of the email functions. */
import * as z from 'zod/mini';
import { emailField } from './email.ts';
import { maxCodePoints, noControlCharacters, noDirectionControls, visibleText } from './text-checks.ts';

export const senderNameMaxLength = 100;

export const notificationSettingsSchema = z.object({
  sender_email: emailField('Must be a valid email address'),
  sender_name: z.string().check(
    z.trim(),
    z.minLength(1, 'Sender name is required'),
    visibleText('Sender name is required'),
    noControlCharacters,
    noDirectionControls,
    // The default message of zod 3.
    maxCodePoints(senderNameMaxLength, 'String must contain at most 100 character(s)'),
  ),
});

export type NotificationSettingsInput = z.output<typeof notificationSettingsSchema>;

/** Response of `send-test-mail` with status 200. */
export interface TestEmailResponse {
  /** True if the mail server accepted the email, or the local mailbox saved it. */
  readonly success: boolean;
  /** True if the email was saved in the local mailbox and not sent, because SMTP_URL is not set. */
  readonly kept: boolean;
  /** The email address of the signed-in user. */
  readonly to: string;
  /** The response of the mail server, or the connection error. */
  readonly answer: string | null;
  /** RFC 3339; only after a temporary failure: the service sends the email again. */
  readonly retry_at?: string;
}

/** Body of `check-sender-domain`: the DKIM selector of the email provider. */
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

/** `unknown`: the DNS query failed, or the DKIM selector is not set. */
export type DomainRecordStatus = 'pass' | 'missing' | 'unknown';

export interface DomainRecord {
  readonly kind: 'SPF' | 'DKIM' | 'DMARC';
  readonly state: DomainRecordStatus;
  /** DNS name of the record; '' if it is not known. */
  readonly name: string;
  /** The current value, or null. */
  readonly found: string | null;
  /**
   * A value to publish as TXT record; null if only the email provider knows it, or if another record exists or may exist,
   * because a second one makes both invalid.
   */
  readonly publish: string | null;
  /** The problem as a sentence; '' without one. */
  readonly note: string;
}

/** Response of `check-sender-domain` with status 200. */
export interface SenderDomainResponse {
  readonly domain: string;
  /** RFC 3339. */
  readonly checked_at: string;
  readonly records: readonly DomainRecord[];
}

/**
 * Response of `notification-settings-author` with status 200; null values if no user has saved the settings.
 */
export interface SettingsAuthorResponse {
  readonly name: string | null;
  /** RFC 3339. */
  readonly saved_at: string | null;
}
