/** The sender identity of outgoing mail: specification sections 2 and 5. */
import * as z from 'zod/mini';
import { emailField } from './email.ts';
import { atMost, withoutControlCharacters } from './text.ts';

export const senderNameMaximum = 100;

export const notificationSettingsSchema = z.object({
  sender_email: emailField('Must be a valid email address'),
  sender_name: z.string().check(
    z.trim(),
    z.minLength(1, 'Sender name is required'),
    withoutControlCharacters,
    // The specification asks for "a default message": the wording of zod 3 (reading A17).
    atMost(senderNameMaximum, 'String must contain at most 100 character(s)'),
  ),
});

export type NotificationSettingsInput = z.output<typeof notificationSettingsSchema>;

/** Status 200 of the function `send-test-mail`. */
export interface TestMailAnswer {
  readonly success: boolean;
  /** The caller's own address. */
  readonly to: string;
  /** The mail server's words, good or bad. */
  readonly answer: string | null;
}
