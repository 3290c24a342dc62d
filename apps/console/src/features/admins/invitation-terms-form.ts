/** The form of the note and the expiry: its values, its schema, and the body of the request. */
import type { FunctionInput } from '@lanternrock/contract/functions';
import {
  expiryRangeMessage,
  isExpiryInRange,
  noteField,
  type InvitationTerms,
} from '@lanternrock/contract/invitation-terms';
import * as z from 'zod/mini';
import { serverNow } from '../../api/server-clock.ts';
import type { SelectOption } from '../../ui/select.tsx';
import { fromTimeInput, toTimeInput } from '../../ui/input-time.ts';
import { termsText } from './invitation-text.ts';

const text = termsText.dialog;

/** Values of the select: seconds, or one of these. */
const defaultExpiry = 'default';
export const timeExpiry = 'time';

const presetSeconds = [12, 24, 3 * 24, 7 * 24, 14 * 24, 30 * 24].map((hours) => hours * 3600);

/** Contains the stored duration, too, which the command line can set to any number of hours. */
export const expiryOptions = ({ expires_in: stored }: InvitationTerms): readonly SelectOption[] => [
  { value: defaultExpiry, label: text.default },
  ...[...new Set([...presetSeconds, ...(stored === null ? [] : [stored])])]
    .sort((a, b) => a - b)
    .map((seconds) => ({ value: String(seconds), label: text.after(seconds) })),
  { value: timeExpiry, label: text.time },
];

/** @param stored a stored time is valid also out of the range, as long as it is not changed */
export const termsSchema = ({ expires_at: stored }: InvitationTerms) =>
  z
    .object({ note: noteField, expiry: z.string(), until: z.string() })
    .check(
      z.refine(
        ({ expiry, until }) =>
          expiry !== timeExpiry ||
          (stored !== null && until === toTimeInput(new Date(stored))) ||
          isExpiryInRange({ expiresAt: new Date(until) }, serverNow()),
        { error: expiryRangeMessage, path: ['until'] },
      ),
    );

export type TermsInput = z.output<ReturnType<typeof termsSchema>>;

/** Without a stored time, the input for it starts with the expiry of an email that is sent now. */
export const toTermsInput = (terms: InvitationTerms): TermsInput => ({
  note: terms.note ?? '',
  expiry: terms.expires_at === null ? String(terms.expires_in ?? defaultExpiry) : timeExpiry,
  until: toTimeInput(new Date(terms.expires_at ?? terms.next_expires_at)),
});

/** Returns the body of `set-invitation-terms`, with the stored time if the input still shows it. */
export const toTermsBody = (
  id: string,
  { note, expiry, until }: TermsInput,
  stored: InvitationTerms,
): FunctionInput<'set-invitation-terms'> => ({
  invitation_id: id,
  note: note === '' ? null : note,
  expires_in: expiry === timeExpiry || expiry === defaultExpiry ? null : Number(expiry),
  expires_at: expiry === timeExpiry ? fromTimeInput(until, stored.expires_at) : null,
});
