/** Schemas and types of the handover functions: what changed since an administrator was last here. */
import * as z from 'zod/mini';
import type { AccountContact } from './account-contacts.ts';
import { accountFilterFields } from './account-export.ts';
import type { AccountType } from './account-types.ts';
import type { ActivityGroup } from './activity.ts';
import { timestamp } from './timestamp.ts';

/** Body of `handover`. Without `since`, the response starts at the end of the last visit. */
export const handoverSchema = z.object({ since: z.optional(timestamp) });

/** Body of `confirm-handover`: the end of a response that was shown. */
export const confirmHandoverSchema = z.object({ until: timestamp });

/** Confirmations less than this apart are one visit: a reload and a second tab show the same changes. */
export const visitGapMinutes = 10;

/** Maximum number of items per section, and of invitations that expire soon. */
export const maxHandoverItems = 200;

/** Invitations that expire within this time are about to expire. */
export const expiresSoonHours = 48;

/**
 * Of emails: `sent`, `captured`, `queued` (also while it is sent), `failed`, and `unconfirmed` if the mail server may have
 * accepted it. `link`: an administrator created a link to share.
 */
export type HandoverInvitationEvent =
  | 'sent'
  | 'captured'
  | 'queued'
  | 'failed'
  | 'unconfirmed'
  | 'link'
  | 'accepted'
  | 'revoked'
  | 'expires';

export interface HandoverInvitation {
  readonly id: string;
  readonly event: HandoverInvitationEvent;
  /** RFC 3339. For `expires`: the end of the invitation. */
  readonly at: string;
  readonly full_name: string;
  readonly email: string;
  /** Who acted: the inviter, or the invited user who accepted or requested the email. Null if it is not known. */
  readonly actor: string | null;
}

export interface HandoverSection<Item> {
  /** Newest first, after the invitations that expire soon. */
  readonly items: readonly Item[];
  /** True if there are more. */
  readonly more: boolean;
}

/** Response of `handover` with status 200. */
export interface HandoverResponse {
  /** RFC 3339. */
  readonly since: string;
  readonly until: string;
  /** End of the previous visit; null during the first. */
  readonly last_visit: string | null;
  readonly accounts: HandoverSection<ActivityGroup>;
  readonly invitations: HandoverSection<HandoverInvitation>;
  readonly settings: HandoverSection<ActivityGroup>;
}

export interface SheetAdministrator {
  readonly name: string | null;
  readonly email: string;
  /** As in `AccountContact`; null without a number. */
  readonly phone: string | null;
  readonly phone_text: string | null;
  /** RFC 3339; null for a role without an end. */
  readonly ends_at: string | null;
}

/** Response of `handover-sheet` with status 200. */
export interface HandoverSheetResponse {
  readonly administrators: readonly SheetAdministrator[];
  /** Null if no settings are saved. */
  readonly sender: { readonly name: string; readonly email: string } | null;
}

/** Accounts per response of `sheet-accounts`. */
export const sheetPageSize = 500;

/** Body of `sheet-accounts`: the filter of the account list. `after` is `next` of the previous page. */
export const sheetAccountsSchema = z.object({
  ...accountFilterFields,
  after: z.optional(
    z.object({ key: z.string().check(z.maxLength(2000)), id: z.uuid({ error: 'Invalid page' }) }),
  ),
});

export interface SheetAccount {
  readonly id: string;
  readonly name: string;
  readonly account_type: AccountType;
  readonly status: string;
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip_code: string | null;
  readonly contacts: readonly AccountContact[];
}

/** Response of `sheet-accounts` with status 200: accounts by name. */
export interface SheetAccountsResponse {
  readonly accounts: readonly SheetAccount[];
  /** Position of the next page; null on the last one. */
  readonly next: { readonly key: string; readonly id: string } | null;
}
