/** The note and the expiry of the next email of an invitation. */
import * as z from 'zod/mini';
import {
  controlCharactersMessage,
  hasVisibleCharacter,
  maxCodePoints,
  noControlCharacters,
  noDirectionControls,
} from './text-checks.ts';

export const noteMaxLength = 500;

/** Limits of the chosen expiry, in seconds from the email. The database checks the same. */
export const expiryLimits = { minimum: 3600, maximum: 30 * 86_400 } as const;

export const expiryRangeMessage = 'Choose an expiry between 1 hour and 30 days from now';

/**
 * Removes trailing spaces of lines and repeated empty lines. Takes linear time.
 *
 * @param text with any line ends
 */
export const normalizeNote = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

const line = z.string().check(noControlCharacters, noDirectionControls);

/** Plain text with line breaks; '' for no note, or one without a visible character. */
export const noteField = z.pipe(
  z.pipe(z.string({ error: 'The note must be text' }), z.transform(normalizeNote)),
  z.string().check(
    z.refine((note) => note.split('\n').every((part) => line.safeParse(part).success), {
      error: controlCharactersMessage,
    }),
    maxCodePoints(noteMaxLength, `The note must be at most ${noteMaxLength} characters`),
    z.overwrite((note) => (hasVisibleCharacter(note) ? note : '')),
  ),
);

/** A duration in seconds. */
export const expiresInField = z
  .int({ error: expiryRangeMessage })
  .check(
    z.gte(expiryLimits.minimum, { error: expiryRangeMessage }),
    z.lte(expiryLimits.maximum, { error: expiryRangeMessage }),
  );

/** A time with its offset (RFC 3339). */
const expiresAtField = z.iso.datetime({
  offset: true,
  error: 'The expiry must be a time such as 2026-12-01T18:00Z',
});

const isMissing = (value: unknown): boolean => value === undefined || value === null;

const termsFields = {
  note: z.optional(z.nullable(noteField)),
  expires_in: z.optional(z.nullable(expiresInField)),
  expires_at: z.optional(z.nullable(expiresAtField)),
};

type TermsFields = z.output<z.ZodMiniObject<typeof termsFields>>;

const hasOneExpiry = z.refine<TermsFields>(
  ({ expires_in: duration, expires_at: time }) => isMissing(duration) || isMissing(time),
  { error: 'Set expires_in or expires_at, not both' },
);

/** The terms of an invitation that is sent. */
export const termsSchema = z.object(termsFields).check(hasOneExpiry);

/** Returns the chosen expiry, or null. */
export const toExpiryChoice = ({
  expires_in: seconds,
  expires_at: time,
}: TermsFields): ExpiryChoice | null => {
  if (seconds) return { expiresIn: seconds };
  return time ? { expiresAt: new Date(time) } : null;
};

/** Body of `set-invitation-terms`. A field that is missing or null is removed. */
export const invitationTermsSchema = z
  .object({ invitation_id: z.uuid({ error: 'Invalid invitation' }), ...termsFields })
  .check(hasOneExpiry);

/** The stored choices of an invitation, and what follows from them. */
export interface InvitationTerms {
  readonly note: string | null;
  /** Seconds from the email, if a duration is chosen. */
  readonly expires_in: number | null;
  /** RFC 3339, if a time is chosen. */
  readonly expires_at: string | null;
  /** RFC 3339. Expiry of an email that is sent now. */
  readonly next_expires_at: string;
}

/** Response of `set-invitation-terms` with status 200. */
export type InvitationTermsResponse = InvitationTerms;

/** A chosen expiry. */
export type ExpiryChoice = { readonly expiresIn: number } | { readonly expiresAt: Date };

const unitSeconds: Readonly<Record<string, number>> = { h: 3600, d: 86_400, w: 7 * 86_400 };

export const expiryTextMessage =
  'Expiry must be a duration such as 12h or 3d, or a time such as 2026-12-01T18:00Z';

/** Parses `12h`, `3d`, `2w` or a time with its offset. Does not compare a time with now. @returns null if invalid */
export const parseExpiry = (text: string): ExpiryChoice | null => {
  const trimmed = text.trim();
  const duration = /^(\d{1,4}) ?([hdw])$/i.exec(trimmed);
  if (duration) {
    const expiresIn = Number(duration[1]) * (unitSeconds[(duration[2] ?? '').toLowerCase()] ?? 0);
    return expiresInField.safeParse(expiresIn).success ? { expiresIn } : null;
  }
  const time = trimmed.replace(/(T\d\d:\d\d)(?=Z|[+-])/, '$1:00');
  return expiresAtField.safeParse(time).success ? { expiresAt: new Date(time) } : null;
};

/** Returns true if a chosen time is in the allowed range. */
export const isExpiryInRange = (choice: ExpiryChoice, now: Date): boolean => {
  if ('expiresIn' in choice) return expiresInField.safeParse(choice.expiresIn).success;
  const seconds = (choice.expiresAt.getTime() - now.getTime()) / 1000;
  return seconds >= expiryLimits.minimum && seconds <= expiryLimits.maximum;
};
