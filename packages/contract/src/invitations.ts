/** Inviting an administrator: specification sections 5 (form), 7 and 8 (the function's answers). */
import * as z from 'zod/mini';
import { emailField } from './email.ts';
import { minCodePoints, maxCodePoints, noControlCharacters, noDirectionControls } from './text-checks.ts';

export const fullNameLimits = { minimum: 2, maximum: 100 } as const;

/** The name stands in a mail that carries the platform's own name: it must not advertise an address. */
const webAddress = /:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}\//iu;

/** The name of a person, given by whoever invites them or by themselves. */
export const fullNameField = z.string({ error: 'Full name must be at least 2 characters' }).check(
  z.trim(),
  noControlCharacters,
  noDirectionControls,
  z.refine((text) => !webAddress.test(text), { error: 'Full name must not contain a web address' }),
  minCodePoints(fullNameLimits.minimum, 'Full name must be at least 2 characters'),
  maxCodePoints(fullNameLimits.maximum, 'Full name must be at most 100 characters'),
);

export const invitationSchema = z.object({
  full_name: fullNameField,
  email: emailField('Invalid email address'),
});

export type InvitationInput = z.output<typeof invitationSchema>;

/**
 * Body of `revoke-user-invitation`, `create-invitation-link`, `remove-administrator`, `restore-administrator` and
 * `reset-administrator-factors`.
 */
export const administratorEmailSchema = z.object({ email: emailField('Invalid email address') });

/** Status 200 of these functions. */
export interface AdministratorResponse {
  readonly success: true;
}

/** Body of `invitation-history`. */
export const invitationIdSchema = z.object({ invitation_id: z.uuid({ error: 'Invalid invitation' }) });

/** `captured`: kept in the local mailbox because no mail server is set, so no recipient got it. */
export type DeliveryStatus = 'waiting' | 'handed_over' | 'captured' | 'refused' | 'timed_out';

/** One mail of an invitation; times are RFC 3339. */
export interface InvitationEmail {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly created_at: string;
  /** Null while it waits. */
  readonly finished_at: string | null;
  /** The mail server's words, or what kept it from being reached. */
  readonly answer: string | null;
}

/** Status 200 of `invitation-history`. */
export interface InvitationHistory {
  /** Newest first, at most fifty. */
  readonly mails: readonly InvitationEmail[];
  /** The link was opened in what looks like a person's browser. */
  readonly opened_at: string | null;
  /** It was opened by what gives itself away as a program, such as a mail scanner. */
  readonly opened_by_program_at: string | null;
  /** The password was set. */
  readonly accepted_at: string | null;
  /** Seconds until it may be sent again; 0 when it may be now. */
  readonly resend_in: number;
  /** No mail carried the link to the person, so that it may be handed over otherwise. */
  readonly link_allowed: boolean;
  /** The invited user has a verified second factor. */
  readonly second_factor: boolean;
}

/** An open invitation that no email has brought since it was last sent. */
export interface UnsentInvitation {
  readonly id: string;
  readonly email: string;
  readonly full_name: string;
  /** The words of the mail server, or why it could not be reached. */
  readonly answer: string | null;
}

/** Status 200 of `unsent-invitations`. */
export interface UnsentInvitations {
  /** Oldest first, at most 1,000. */
  readonly invitations: readonly UnsentInvitation[];
}

/** Status 200 of `create-invitation-link`. */
export interface InvitationLinkResponse {
  readonly link: string;
  /** RFC 3339. */
  readonly expires_at: string;
}

/** Status 200 of `send-user-invitation`: the record is stored; `success` tells of the mail. */
export interface InvitationResponse {
  /** True when the mail server (or, without one, the mailbox folder) took the mail. */
  readonly success: boolean;
  readonly invitation_id: string;
  /** RFC 3339. */
  readonly expires_at: string;
  /** Why the mail was not handed over, in the mail server's words; only with `success: false`. */
  readonly reason?: string;
}

/** Any other status. */
export interface FunctionErrorBody {
  readonly error: string;
  readonly code: string;
  /** Seconds until the same call may succeed. */
  readonly retry_after?: number;
}
