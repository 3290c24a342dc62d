/** How many connections may be open, so that they never take the last file descriptor. */

/** Descriptors for the database (embedded, it holds hundreds of files), mails and new processes. */
const reserve = 512;

/** The process's own limit of open files; null where the system has none or does not tell. */
export function openFileLimit(): number | null {
  // The names of peers are nothing to look up here.
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport();
  const limits = 'userLimits' in report ? (report.userLimits as UserLimits) : {};
  const soft = limits.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}

/** Of Node's diagnostic report; a limit is a number or 'unlimited'. */
interface UserLimits {
  readonly open_files?: { readonly soft?: unknown };
}

/** Leaves the reserve, or half where there are few. @returns null for no limit */
export const maxConnections = (openFiles: number | null): number | null =>
  openFiles === null ? null : openFiles - Math.min(reserve, Math.ceil(openFiles / 2));
