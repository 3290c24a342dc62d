/** The form of the invitation of a member: its schema, its first values, and the body of the request. */
import type { FunctionInput } from '@lanternrock/contract/functions';
import { invitedNameSchema } from '@lanternrock/contract/member-invitations';
import * as z from 'zod/mini';
import { endDateField } from '../../shared/end-date/end-date.ts';
import {
  newTermsInput,
  termsInput,
  toChosenTerms,
  untilCheck,
} from '../../shared/invitation-terms/terms-form.ts';

export const inviteMemberFormSchema = z
  .extend(termsInput, { ...invitedNameSchema.shape, ends_at: endDateField })
  .check(untilCheck(null));
type InviteMemberInput = z.output<typeof inviteMemberFormSchema>;

/** @param endsAt the value of the input of the end date */
export const toInviteMemberInput = (now: Date, endsAt: string): z.input<typeof inviteMemberFormSchema> => ({
  full_name: '',
  ...newTermsInput(now),
  ends_at: endsAt,
});

/** Returns the body of `invite-account-member`, without the terms and the end date that were not chosen. */
export const toInviteMemberBody = (
  invited: { readonly accountId: string; readonly email: string },
  { full_name, ends_at, ...terms }: InviteMemberInput,
): FunctionInput<'invite-account-member'> => ({
  account_id: invited.accountId,
  email: invited.email,
  full_name,
  ...toChosenTerms(terms),
  ...(ends_at === null ? {} : { ends_at }),
});
