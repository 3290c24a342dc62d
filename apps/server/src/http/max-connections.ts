/** Derives the connection limit from the open file limit, so that connections do not exhaust the file descriptors. */

/** File descriptors for the embedded database (hundreds of files), connections to the mail server and new processes. */
const reserve = 512;

/** Returns the open file limit of this process, or null if there is none or it is unknown. */
export function readOpenFileLimit(): number | null {
  // Without this option, the report looks up the host names of all peers.
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport();
  const limits = 'userLimits' in report ? (report.userLimits as UserLimits) : {};
  const soft = limits.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}

/** User limits in Node's diagnostic report; a limit is a number or 'unlimited'. */
interface UserLimits {
  readonly open_files?: { readonly soft?: unknown };
}

/** Subtracts the reserve, or half of a small limit. Returns null for no limit. */
export const maxConnections = (openFiles: number | null): number | null =>
  openFiles === null ? null : openFiles - Math.min(reserve, Math.ceil(openFiles / 2));
