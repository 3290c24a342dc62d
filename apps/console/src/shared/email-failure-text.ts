/** Texts about an invitation email that was not sent. */
import { formatDateTime } from '../ui/format-time.ts';

export interface EmailFailure {
  readonly reason: string | undefined;
  /** RFC 3339; undefined for a rejection. */
  readonly retryAt: string | undefined;
}

/** A temporary failure says nothing about the domain. */
export const nextStep = ({ retryAt }: EmailFailure): string =>
  retryAt === undefined
    ? 'The sending domain may need to be verified with your email provider.'
    : `The service tries again after ${formatDateTime(retryAt)}.`;

/** Appends the response of the mail server, if any. */
export const withReason = (sentence: string, reason: string | null | undefined): string =>
  reason === undefined || reason === null || reason === '' ? sentence : `${sentence} (${reason})`;
