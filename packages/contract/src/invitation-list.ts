/** Lists of invitees: checks of rows that need no database, and the schemas of `plan-invitations` and `invite-list`. */
import * as z from 'zod/mini';
import type { FileLimits } from './csv-file.ts';
import { normalizeEmail } from './email.ts';
import {
  expiryRangeMessage,
  expiryTextMessage,
  isExpiryInRange,
  noteField,
  parseExpiry,
  type ExpiryChoice,
} from './invitation-terms.ts';
import { invitationSchema, listIdField } from './invitations.ts';
import { joinLines } from './list-file.ts';

/** Limits of a file in the console. */
export const inviteListFileLimits: FileLimits = { bytes: 5 * 1024 * 1024, rows: 20_000 };

/** Maximum size of the items of a call as JSON, in bytes. A request body may have 16,384. */
export const inviteListBatchBytes = 14_000;

/** A row as in the file. */
export interface InviteeRow {
  /** Line of the file, counted from 1; the header is line 1. */
  readonly line: number;
  readonly email: string;
  readonly fullName: string;
  /** Undefined without the column; '' keeps what is stored. */
  readonly note?: string | undefined;
  readonly expires?: string | undefined;
  /** Why the row cannot be used, whatever its cells contain. */
  readonly problem?: string | null;
}

export interface CheckedInvitee {
  readonly input: InviteeRow;
  readonly line: number;
  /** Normalized; the input text if the row is invalid. */
  readonly email: string;
  readonly fullName: string;
  /** Undefined keeps what is stored. */
  readonly note?: string | undefined;
  readonly expiry?: ExpiryChoice | undefined;
  /** Null for a row whose plan depends on the database. */
  readonly problem:
    | { readonly kind: 'repeated'; readonly line: number }
    | { readonly kind: 'invalid'; readonly reason: string }
    | null;
}

/** Checks each row and finds repeated email addresses. Takes linear time. */
export function checkInvitees(rows: readonly InviteeRow[], now: Date): readonly CheckedInvitee[] {
  const firstLines = new Map<string, number>();
  return rows.map((input): CheckedInvitee => {
    const { line } = input;
    // Spreadsheet programs allow several lines in a cell.
    const fullName = joinLines(input.fullName, ' ');
    const parsed = invitationSchema.safeParse({ email: input.email, full_name: fullName });
    const email = parsed.success ? parsed.data.email : normalizeEmail(input.email);
    const first = firstLines.get(email);
    if (first !== undefined)
      return { input, line, email, fullName, problem: { kind: 'repeated', line: first } };
    const invalid = (reason: string): CheckedInvitee => ({
      input,
      line,
      email: input.email,
      fullName,
      problem: { kind: 'invalid', reason },
    });
    if (typeof input.problem === 'string') return invalid(input.problem);
    if (!parsed.success) return invalid(parsed.error.issues.map(({ message }) => message).join('. '));
    const note = noteField.safeParse(input.note ?? '');
    if (!note.success) return invalid(note.error.issues[0]?.message ?? '');
    const expires = input.expires?.trim() ?? '';
    const expiry = expires === '' ? null : parseExpiry(expires);
    if (expires !== '' && expiry === null) return invalid(expiryTextMessage);
    if (expiry !== null && !isExpiryInRange(expiry, now)) return invalid(expiryRangeMessage);
    firstLines.set(email, line);
    return {
      input,
      line,
      email,
      fullName: parsed.data.full_name,
      note: note.data || undefined,
      expiry: expiry ?? undefined,
      problem: null,
    };
  });
}

/**
 * - `new`: never invited
 * - `reinvite`: the invitation expired, or its last email was not delivered
 * - `pending`: the invitation is pending, and its last email was accepted or is queued
 * - `revoked`, `removed`, `banned`: an administrator decided this, and a list does not revert it
 */
export type InviteeStatus =
  | 'new'
  | 'reinvite'
  | 'pending'
  | 'administrator'
  | 'revoked'
  | 'removed'
  | 'banned';

/** A status for which a list sends an invitation. */
export type InvitableStatus = 'new' | 'reinvite';

/** A status that needs no invitation, or forbids it. */
export type NotInvitableStatus = Exclude<InviteeStatus, InvitableStatus>;

export const isInvitable = (status: InviteeStatus): status is InvitableStatus =>
  status === 'new' || status === 'reinvite';

/** Maximum of email addresses per call of `plan-invitations`. */
export const maxPlannedEmails = 400;

/** Body of `plan-invitations`. */
export const planInvitationsSchema = z.object({
  emails: z.array(z.string().check(z.maxLength(255))).check(
    z.minLength(1),
    z.maxLength(maxPlannedEmails, {
      error: `At most ${maxPlannedEmails} email addresses per call`,
    }),
  ),
});

/** Response of `plan-invitations` with status 200. */
export interface InvitationPlanResponse {
  /** In the order of the request. */
  readonly statuses: readonly InviteeStatus[];
  /** The emails that the quota allows now, and its limit per hour. */
  readonly quota: { readonly left: number; readonly limit: number };
}

/** Maximum of invitations per call of `invite-list`. */
export const maxListedInvitations = 20;

/** Body of `invite-list`. */
export const inviteListSchema = z.object({
  invitations: z
    .array(
      z.object({
        email: z.string(),
        full_name: z.string(),
        note: z.optional(z.string()),
        /** As `3d`, or a time. */
        expires: z.optional(z.string()),
        /** Also sends to an invitation that is pending. */
        again: z.optional(z.boolean()),
      }),
    )
    .check(
      z.minLength(1),
      z.maxLength(maxListedInvitations, { error: `At most ${maxListedInvitations} invitations per call` }),
    ),
  list_id: listIdField,
  /** Only queues the emails: the mail server failed several times in an earlier call. */
  queue: z.optional(z.boolean()),
});

/** Number of consecutive temporary failures after which further emails of a list are only queued. */
export const maxConsecutiveFailures = 3;

/** Returns the number of consecutive temporary failures after the outcome of one more invitation. */
export const countFailures = (failures: number, outcome: string): number => {
  if (outcome === 'queued') return failures + 1;
  return outcome === 'sent' || outcome === 'captured' ? 0 : failures;
};

/**
 * `sent`: the mail server accepted the email. `captured`: invited, but the email was saved in the local mailbox and was not
 * sent, because SMTP_URL is not set. `queued`: invited, and the service sends the email later.
 * `not_accepted`: invited, but the email was rejected. Other outcomes sent nothing.
 */
export interface InviteListResult {
  readonly outcome: 'sent' | 'captured' | 'queued' | 'not_accepted' | 'invalid' | NotInvitableStatus;
  /** For `queued`, `not_accepted` and `invalid`. */
  readonly reason?: string;
}

/** Response of `invite-list` with status 200. */
export interface InviteListResponse {
  /**
   * In the order of the request, for as many invitations as fit into the time of a call. The rest can be sent with
   * another call.
   */
  readonly results: readonly InviteListResult[];
  /** Why the rest was not sent: the email quota, or an error after the first result. */
  readonly stopped: { readonly message: string; readonly retry_after: number | null } | null;
}
