/** What one check of `lanternrock doctor` found. */
export interface CheckResult {
  /** ok: nothing to do. warning: works, with a risk. failed: something does not work. */
  readonly status: 'ok' | 'warning' | 'failed';
  /** What was looked at, in a word. */
  readonly subject: string;
  /** One sentence; never a secret. */
  readonly message: string;
  /** What to do; null when there is nothing to do. */
  readonly fix: string | null;
}

export const ok = (subject: string, message: string): CheckResult => ({
  status: 'ok',
  subject,
  message,
  fix: null,
});

export const warning = (subject: string, message: string, fix: string): CheckResult => ({
  status: 'warning',
  subject,
  message,
  fix,
});

export const failed = (subject: string, message: string, fix: string): CheckResult => ({
  status: 'failed',
  subject,
  message,
  fix,
});

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
