/** The result of one check of `lanternrock doctor`. */
export interface CheckResult {
  /** `warning`: it works, with a risk. `failed`: it does not work. */
  readonly status: 'ok' | 'warning' | 'failed';
  readonly subject: string;
  /** Must not contain a secret. */
  readonly message: string;
  /** What the operator can do; null if the status is `ok`. */
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
