/** Converts the note and the chosen expiry of an invitation to the values of their columns. */
import type { ExpiryChoice } from '@lanternrock/contract/invitation-terms';

/** An undefined field keeps its stored value; null removes it. */
export interface Terms {
  /** Normalized by `noteField`. */
  readonly note?: string | null | undefined;
  readonly expiry?: ExpiryChoice | null | undefined;
}

interface TermColumns {
  readonly note: string | null;
  readonly seconds: number | null;
  readonly until: Date | null;
  readonly setsNote: boolean;
  readonly setsExpiry: boolean;
}

/** Returns the terms as column values. */
export function termColumns({ note, expiry }: Terms = {}): TermColumns {
  return {
    note: note || null,
    seconds: expiry && 'expiresIn' in expiry ? expiry.expiresIn : null,
    until: expiry && 'expiresAt' in expiry ? expiry.expiresAt : null,
    setsNote: note !== undefined,
    setsExpiry: expiry !== undefined,
  };
}
