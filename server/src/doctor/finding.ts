/** What one check of `lanternrock doctor` found. */
export interface Finding {
  /** ok: nothing to do. warning: works, with a risk. failed: something does not work. */
  readonly verdict: 'ok' | 'warning' | 'failed';
  /** What was looked at, in a word. */
  readonly about: string;
  /** One sentence; never a secret. */
  readonly found: string;
  /** What to do; null when there is nothing to do. */
  readonly advice: string | null;
}

export const fine = (about: string, found: string): Finding => ({
  verdict: 'ok',
  about,
  found,
  advice: null,
});

export const risky = (about: string, found: string, advice: string): Finding => ({
  verdict: 'warning',
  about,
  found,
  advice,
});

export const broken = (about: string, found: string, advice: string): Finding => ({
  verdict: 'failed',
  about,
  found,
  advice,
});

export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
