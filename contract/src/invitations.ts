/** Inviting an administrator: specification sections 5 (form), 7 and 8 (the function's answers). */
import * as z from 'zod/mini';
import { emailField } from './email.ts';
import { atLeast, atMost, withoutControlCharacters } from './text.ts';

export const fullNameLimits = { minimum: 2, maximum: 100 } as const;

/** The name stands in a mail that carries the platform's own name: it must not advertise an address. */
const webAddress = /:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}\//iu;

export const invitationSchema = z.object({
  full_name: z.string({ error: 'Full name must be at least 2 characters' }).check(
    z.trim(),
    withoutControlCharacters,
    z.refine((text) => !webAddress.test(text), { error: 'Full name must not contain a web address' }),
    atLeast(fullNameLimits.minimum, 'Full name must be at least 2 characters'),
    atMost(fullNameLimits.maximum, 'Full name must be at most 100 characters'),
  ),
  email: emailField('Invalid email address'),
});

export type InvitationInput = z.output<typeof invitationSchema>;

/** Body of `revoke-user-invitation`, `remove-administrator` and `restore-administrator`. */
export const administratorSchema = z.object({ email: emailField('Invalid email address') });

/** Status 200 of these functions. */
export interface AdministratorAnswer {
  readonly success: true;
}

/** Status 200 of `send-user-invitation`: the record is stored; `success` tells of the mail. */
export interface InvitationAnswer {
  /** True when the mail server (or, without one, the mailbox folder) took the mail. */
  readonly success: boolean;
  readonly invitation_id: string;
  /** RFC 3339. */
  readonly expires_at: string;
  /** Why the mail was not handed over, in the mail server's words; only with `success: false`. */
  readonly reason?: string;
}

/** Any other status. */
export interface FunctionRefusal {
  readonly error: string;
  readonly code: string;
  /** Seconds until the same call may succeed. */
  readonly retry_after?: number;
}
