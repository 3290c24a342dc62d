/** Schemas of the invitation form and types of the invitation functions. */
import * as z from 'zod/mini';
import { emailField } from './email.ts';
import { type InvitationTerms, termsSchema } from './invitation-terms.ts';
import {
  minCodePoints,
  maxCodePoints,
  noControlCharacters,
  noDirectionControls,
  visibleText,
} from './text-checks.ts';

export const fullNameLimits = { minimum: 2, maximum: 100 } as const;

/** Not allowed in names, because the name is part of emails in the name of the platform. */
const urlPattern = /:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}\//iu;

/** The full name of a user, entered by an inviting administrator or by the user. */
export const fullNameField = z.string({ error: 'Full name must be at least 2 characters' }).check(
  z.trim(),
  noControlCharacters,
  noDirectionControls,
  visibleText('Full name must be at least 2 characters'),
  z.refine((text) => !urlPattern.test(text), { error: 'Full name must not contain a URL' }),
  minCodePoints(fullNameLimits.minimum, 'Full name must be at least 2 characters'),
  maxCodePoints(fullNameLimits.maximum, 'Full name must be at most 100 characters'),
);

export const invitationSchema = z.object({
  full_name: fullNameField,
  email: emailField('Invalid email address'),
});

export type InvitationInput = z.output<typeof invitationSchema>;

/** Chosen by the client, the same for all invitations of a list, so that they are one entry of the activity. */
export const listIdField = z.optional(z.uuid({ error: 'Invalid list' }));

/** Body of `send-user-invitation`. Terms that are missing or null keep their stored values. */
export const sendInvitationSchema = z.extend(invitationSchema, {
  terms: z.optional(termsSchema),
  list_id: listIdField,
});

/**
 * Body of `create-invitation-link`, `remove-administrator`, `restore-administrator`
 * and `reset-administrator-factors`.
 */
export const administratorEmailSchema = z.object({ email: emailField('Invalid email address') });

/** Body of `revoke-user-invitation`. */
export const revokeInvitationSchema = z.extend(administratorEmailSchema, { list_id: listIdField });

/** Response of these functions with status 200. */
export interface AdministratorResponse {
  readonly success: true;
  /** Only of `restore-administrator`: the restored role ended at this time (RFC 3339) and gives no rights. */
  readonly role_ended_at?: string;
}

/** Body of `invitation-history`, and of the functions about one invitation of a member. */
export const invitationIdSchema = z.object({ invitation_id: z.uuid({ error: 'Invalid invitation' }) });

/** `captured`: saved in the local mailbox because SMTP_URL is not set, so it was not sent. */
export type DeliveryStatus = 'waiting' | 'handed_over' | 'captured' | 'refused' | 'timed_out';

/**
 * Who caused an email. `command_line`: the operator, for the named administrator if there is a name. `recipient`: the
 * invited user requested it.
 */
export interface EmailInviter {
  readonly kind: 'administrator' | 'command_line' | 'recipient';
  /** Display name or email, as the email names the inviter. */
  readonly name: string | null;
}

/** One email of an invitation; times are RFC 3339. */
export interface InvitationEmail {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly created_at: string;
  /** Null while it is queued. */
  readonly finished_at: string | null;
  /** The response of the mail server, or the connection error. */
  readonly answer: string | null;
  /** Time of the next attempt of a queued email; null while it is being sent and after the last attempt. */
  readonly next_attempt_at?: string | null;
  /** Null for emails of earlier versions. */
  readonly inviter?: EmailInviter | null;
}

/** What happened to an invitation, or to the administrator whom it made. `ended`: the end of the role was reached. */
export interface InvitationEvent {
  readonly event: 'link_created' | 'revoked' | 'removed' | 'restored' | 'ended' | 'extended';
  /** RFC 3339. */
  readonly at: string;
  /** Display name or email of the administrator, or the operator on the command line; null if it is not known. */
  readonly actor: string | null;
}

/** Response of `invitation-history` with status 200. */
export interface InvitationHistory {
  /** Newest first, at most fifty. */
  readonly mails: readonly InvitationEmail[];
  /** Newest first, at most fifty, and only those that the audit log still has. Absent in earlier versions. */
  readonly events?: readonly InvitationEvent[];
  /** Time of the first request for the link that looks like a browser. */
  readonly opened_at: string | null;
  /** Time of the first request by a detected automated client, such as an email scanner. */
  readonly opened_by_program_at: string | null;
  /** Time when the password was set. */
  readonly accepted_at: string | null;
  /** Seconds until the invitation can be sent again; 0 if it can be sent now. */
  readonly resend_in: number;
  /** True if no email has delivered the link and none is being sent, so an administrator can share it. */
  readonly link_allowed: boolean;
  /** The invited user has a verified second factor, or a passkey that counts as two factors. */
  readonly second_factor: boolean;
  /** Display name or email of the inviting administrator; null for the command line. */
  readonly invited_by?: string | null;
  /** What the next email contains. Null for an invitation that takes no terms: accepted, revoked or removed. */
  readonly terms?: InvitationTerms | null;
}

/** Maximum number of invitations in the response of `unsent-invitations`. */
export const maxUnsentInvitations = 1000;

/** A pending invitation whose last email is not confirmed as sent. */
export interface UnsentInvitation {
  readonly id: string;
  readonly email: string;
  readonly full_name: string;
  /** `refused`: not sent. Otherwise, the mail server may have accepted the email. */
  readonly status: DeliveryStatus;
  /** The response of the mail server, or the connection error. */
  readonly answer: string | null;
}

/** Response of `unsent-invitations` with status 200. */
export interface UnsentInvitations {
  /** Oldest first, at most `maxUnsentInvitations`. */
  readonly invitations: readonly UnsentInvitation[];
}

/** Response of `create-invitation-link` and `create-account-member-invitation-link` with status 200. */
export interface InvitationLinkResponse {
  readonly link: string;
  /** RFC 3339. */
  readonly expires_at: string;
}

/**
 * Response of `send-user-invitation` with status 200. The invitation is stored, also if `success` is false.
 */
export interface InvitationResponse {
  /** True if the mail server accepted the email, or the local mailbox saved it. */
  readonly success: boolean;
  readonly invitation_id: string;
  /** RFC 3339. */
  readonly expires_at: string;
  /** The response of the mail server or the connection error; only with `success: false`. */
  readonly reason?: string;
  /** RFC 3339; only after a temporary failure: the service sends the email again. */
  readonly retry_at?: string;
  /**
   * `local`: the email was saved in the local mailbox and was not sent, because SMTP_URL is not set. `sending`, with
   * `success: false`: another request is still sending the email.
   */
  readonly delivery?: 'local' | 'sending';
}

/** Response of a function with any other status. */
export interface FunctionErrorBody {
  readonly error: string;
  readonly code: string;
  /** Seconds until the request can succeed. */
  readonly retry_after?: number;
}
