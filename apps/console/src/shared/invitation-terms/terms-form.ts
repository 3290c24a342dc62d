/** The form of the note and the expiry: its values, its schema, and the body of the request. */
import type { FunctionInput } from '@lanternrock/contract/functions';
import {
  expiryRangeMessage,
  isExpiryInRange,
  noteField,
  type InvitationTerms,
} from '@lanternrock/contract/invitation-terms';
import { invitationSchema } from '@lanternrock/contract/invitations';
import * as z from 'zod/mini';
import { serverNow } from '../../api/server-clock.ts';
import type { SelectOption } from '../../ui/select.tsx';
import { fromTimeInput, toTimeInput } from '../../ui/input-time.ts';
import { termsFieldsText as text } from './terms-text.ts';

/** Values of the select: seconds, or one of these. */
const defaultExpiry = 'default';
export const timeExpiry = 'time';

const presetSeconds = [12, 24, 3 * 24, 7 * 24, 14 * 24, 30 * 24].map((hours) => hours * 3600);

/**
 * Contains the stored duration, too, which the command line can set to any number of hours.
 *
 * @param defaultSeconds 0 if unknown
 */
export const expiryOptions = (
  { expires_in: stored }: Pick<InvitationTerms, 'expires_in'>,
  defaultSeconds: number,
): readonly SelectOption[] => [
  { value: defaultExpiry, label: text.default(defaultSeconds) },
  ...[...new Set([...presetSeconds, ...(stored === null ? [] : [stored])])]
    .sort((a, b) => a - b)
    .map((seconds) => ({ value: String(seconds), label: text.after(seconds) })),
  { value: timeExpiry, label: text.time },
];

export const termsInput = z.object({ note: noteField, expiry: z.string(), until: z.string() });
export type TermsInput = z.output<typeof termsInput>;

/** @param stored a stored time is valid also out of the range, as long as it is not changed */
export const untilCheck = (stored: string | null) =>
  z.refine<TermsInput>(
    ({ expiry, until }) =>
      expiry !== timeExpiry ||
      (stored !== null && until === toTimeInput(new Date(stored))) ||
      isExpiryInRange({ expiresAt: new Date(until) }, serverNow()),
    { error: expiryRangeMessage, path: ['until'] },
  );

export const termsSchema = ({ expires_at: stored }: InvitationTerms) => termsInput.check(untilCheck(stored));

/** Without a stored time, the input for it starts with the expiry of an email that is sent now. */
export const toTermsInput = (terms: InvitationTerms): TermsInput => ({
  note: terms.note ?? '',
  expiry: terms.expires_at === null ? String(terms.expires_in ?? defaultExpiry) : timeExpiry,
  until: toTimeInput(new Date(terms.expires_at ?? terms.next_expires_at)),
});

const toTerms = ({ note, expiry, until }: TermsInput, storedTime: string | null) => ({
  note: note === '' ? null : note,
  expires_in: expiry === timeExpiry || expiry === defaultExpiry ? null : Number(expiry),
  expires_at: expiry === timeExpiry ? fromTimeInput(until, storedTime) : null,
});

/** Returns the body of `set-invitation-terms`, with the stored time if the input still shows it. */
export const toTermsBody = (
  id: string,
  input: TermsInput,
  stored: InvitationTerms,
): FunctionInput<'set-invitation-terms'> => ({ invitation_id: id, ...toTerms(input, stored.expires_at) });

export const inviteSchema = z.extend(termsInput, invitationSchema.shape).check(untilCheck(null));

/**
 * Returns the terms of a new invitation.
 *
 * @param now the input for a time starts a week later
 */
export const newTermsInput = (now: Date): TermsInput => ({
  note: '',
  expiry: defaultExpiry,
  until: toTimeInput(new Date(now.getTime() + 7 * 86_400_000)),
});

export const toInviteInput = (now: Date): z.output<typeof inviteSchema> => ({
  full_name: '',
  email: '',
  ...newTermsInput(now),
});

/** Returns the terms that were chosen; without any, nothing. */
export const toChosenTerms = (input: TermsInput): Pick<FunctionInput<'send-user-invitation'>, 'terms'> => {
  const chosen = Object.entries(toTerms(input, null)).filter(([, value]) => value !== null);
  return chosen.length > 0 ? { terms: Object.fromEntries(chosen) } : {};
};

/** Returns the body of `send-user-invitation`, without the terms that were not chosen. */
export const toInviteBody = ({
  full_name,
  email,
  ...terms
}: z.output<typeof inviteSchema>): FunctionInput<'send-user-invitation'> => ({
  email,
  full_name,
  ...toChosenTerms(terms),
});
