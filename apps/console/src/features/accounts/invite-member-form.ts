/** The form of the invitation of a member: its schema, its first values, and the body of the request. */
import type { FunctionInput } from '@lanternrock/contract/functions';
import { invitedNameSchema } from '@lanternrock/contract/member-invitations';
import * as z from 'zod/mini';
import {
  newTermsInput,
  termsInput,
  toChosenTerms,
  untilCheck,
} from '../../shared/invitation-terms/terms-form.ts';

export const inviteMemberFormSchema = z.extend(termsInput, invitedNameSchema.shape).check(untilCheck(null));
type InviteMemberInput = z.output<typeof inviteMemberFormSchema>;

export const toInviteMemberInput = (now: Date): InviteMemberInput => ({
  full_name: '',
  ...newTermsInput(now),
});

/** Returns the body of `invite-account-member`, without the terms that were not chosen. */
export const toInviteMemberBody = (
  invited: { readonly accountId: string; readonly email: string },
  { full_name, ...terms }: InviteMemberInput,
): FunctionInput<'invite-account-member'> => ({
  account_id: invited.accountId,
  email: invited.email,
  full_name,
  ...toChosenTerms(terms),
});
