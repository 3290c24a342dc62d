/** Schemas and responses of the functions about the members of an account. */
import * as z from 'zod/mini';
import { emailField } from './email.ts';

const account_id = z.uuid({ error: 'Invalid account' });
const user_id = z.uuid({ error: 'Invalid member' });

/** RFC 3339; null for a membership without an end date. */
export const membershipEndField = z.nullable(z.iso.datetime({ offset: true, error: 'Invalid time' }));

/** Members per response of `account-members`. */
export const membersPageSize = 50;

/** Body of `account-members`. `after` is `next` of the previous page. */
export const accountMembersSchema = z.object({
  account_id,
  after: z.optional(
    z.object({
      created_at: z.iso.datetime({ offset: true, error: 'Invalid page' }),
      id: z.uuid({ error: 'Invalid page' }),
    }),
  ),
});

/** Body of `add-account-member`. */
export const addAccountMemberSchema = z.object({
  account_id,
  email: emailField('Invalid email address'),
  ends_at: z.optional(membershipEndField),
});

/** The status values that administrators set. Stored members can have other ones. */
export const memberStatuses = ['active', 'suspended'] as const;

/** Body of `set-account-member`. A field that is missing keeps its value; without a status, an ended membership is active again. */
export const setAccountMemberSchema = z
  .object({
    account_id,
    user_id,
    status: z.optional(z.enum(memberStatuses, { error: 'Invalid status' })),
    ends_at: z.optional(membershipEndField),
  })
  .check(
    z.refine(({ status, ends_at: end }) => status !== undefined || end !== undefined, {
      error: 'Set status or ends_at',
    }),
  );

/** Body of `remove-account-member`. */
export const accountMemberSchema = z.object({ account_id, user_id });

/** Body of `undo-account-member`. `change` is that of the response to the change. */
export const undoAccountMemberSchema = z.object({
  account_id,
  change: z.string({ error: 'Invalid change' }).check(z.regex(/^[0-9]{1,18}$/, { error: 'Invalid change' })),
});

export interface AccountMember {
  /** ID of the membership. */
  readonly id: string;
  readonly user_id: string;
  readonly full_name: string | null;
  readonly email: string | null;
  /** `ended` if its end date has passed; a suspended membership stays suspended. */
  readonly status: string;
  readonly created_at: string;
  /** RFC 3339; null without an end date. */
  readonly ends_at: string | null;
  /** Other accounts of the user by name, at most five. */
  readonly other_accounts: readonly { readonly id: string; readonly name: string }[];
  readonly other_accounts_total: number;
}

/** Response of `account-members`: newest members first. */
export interface AccountMembersResponse {
  readonly members: readonly AccountMember[];
  /** Position of the next page; null on the last one. */
  readonly next: { readonly created_at: string; readonly id: string } | null;
  readonly active_members: number;
}

/** Response of the functions that change a member. */
export interface MemberChangeResponse {
  /** Null after a removal. */
  readonly member: AccountMember | null;
  /** `active_members` of the account after the change. */
  readonly active_members: number;
  /** For `undo-account-member`; null if nothing changed. */
  readonly change: string | null;
}
