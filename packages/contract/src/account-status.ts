/** The status of an account, its transitions, and the input of the function that sets it. */
import * as z from 'zod/mini';
import { accountStatuses } from './account-view.ts';
import { maxCodePoints, noControlCharacters, noDirectionControls, visibleText } from './text-checks.ts';

export type AccountStatus = (typeof accountStatuses)[number];

/** The same transitions as in `private.check_account_status`. */
const transitions: Readonly<Record<AccountStatus, readonly AccountStatus[]>> = {
  active: ['suspended', 'archived'],
  suspended: ['active', 'archived'],
  archived: ['active'],
};

/** Returns true for the statuses that this version knows. */
export const isAccountStatus = (status: string): status is AccountStatus =>
  Object.hasOwn(transitions, status);

/** Returns what an account with a status can become. An unknown status can only become active. */
export const nextStatuses = (status: string): readonly AccountStatus[] =>
  isAccountStatus(status) ? transitions[status] : ['active'];

/** Returns a status for a sentence. An unknown one is quoted. */
export const accountStatusText = (status: string): string =>
  isAccountStatus(status) ? status : `"${status}"`;

export const maxReasonLength = 500;

/** A reason is one paragraph of plain text. */
export const suspensionReasonSchema = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.replace(/\s+/g, ' ').trim()),
  ),
  z
    .string()
    .check(
      z.minLength(1, 'A reason is required'),
      visibleText('A reason is required'),
      noControlCharacters,
      noDirectionControls,
      maxCodePoints(maxReasonLength, 'Reason must be at most 500 characters'),
    ),
);

export const accountIdSchema = z.object({ account_id: z.uuid() });

export const setAccountStatusSchema = z.object({
  account_id: z.uuid(),
  status: z.enum(accountStatuses),
  /** Required for `suspended`, otherwise ignored. */
  reason: z.optional(z.string()),
  /** `updated_at` of the row that the user saw, with microseconds. */
  updated_at: z.iso.datetime({ offset: true }).check(z.regex(/^[1-9]/)),
  /** The status that the user saw. With it, changes of other fields are no conflict. */
  previous_status: z.optional(z.string()),
  /** Ends the sessions of members without another active account. */
  end_sessions: z.optional(z.boolean()),
});

export interface SetAccountStatusResponse {
  readonly success: true;
  readonly updated_at: string;
  /** False if other fields have changed since the version that the user saw. */
  readonly version_matched: boolean;
  /** The reason of a suspension that this call ended, for an undo. */
  readonly previous_reason: string | null;
  /** Number of members whose sessions ended. */
  readonly signed_out: number;
}

/** Who changed an account last, and why it is suspended. */
export interface AccountDetailsResponse {
  /** Null for the service, the command line, and before the first change. */
  readonly saved_by: string | null;
  readonly saved_at: string;
  readonly suspension: {
    readonly reason: string;
    readonly suspended_at: string;
    readonly suspended_by: string | null;
  } | null;
}
