/** The parts of a security notice, and the values in its sentences. */
import { sanitizeText } from './sanitize-text.ts';

export interface NoticeContent {
  readonly subject: string;
  readonly heading: string;
  readonly sentence: string;
}

/** Returns the sanitized value, or the fallback if there is none, as in emails that an earlier version stored. */
export const valueOr = (value: string | undefined, fallback: string): string =>
  sanitizeText(value ?? '') || fallback;
