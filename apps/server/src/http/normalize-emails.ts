/** Normalizes the email addresses that clients of the Data API store, by the rule of all other APIs. */
import { normalizeEmail } from '@lanternrock/contract/email';

/** Columns with an email address that requests can write, by relation. */
const emailColumns: ReadonlyMap<string, readonly string[]> = new Map([
  ['notification_settings', ['sender_email']],
]);

/**
 * Bytes. Larger bodies and other media types stay as they are, and the constraint of the table accepts an ASCII domain only: these
 * relations have one row, and the limits of the Data API come later.
 */
const maxBytes = 16_384;

/**
 * Returns the body of a write request with normalized email addresses. All other bodies stay as they are: the constraints of
 * the table reject what is invalid.
 *
 * @param path behind the mount path
 */
export function normalizeEmails(path: string, contentType: string | null, body: ArrayBuffer): ArrayBuffer {
  const columns = emailColumns.get(path.replace(/^\//, ''));
  if (columns === undefined || body.byteLength === 0 || body.byteLength > maxBytes) return body;
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? 'application/json';
  if (type === 'application/json') return encode(normalizeJson(body, columns)) ?? body;
  if (type === 'application/x-www-form-urlencoded') {
    const parameters = new URLSearchParams(new TextDecoder().decode(body));
    for (const column of columns) {
      const value = parameters.get(column);
      if (value !== null) parameters.set(column, normalizeEmail(value));
    }
    return encode(parameters.toString()) ?? body;
  }
  return body;
}

const encode = (text: string | null): ArrayBuffer | null =>
  text === null ? null : new TextEncoder().encode(text).buffer;

/** Returns null for a body that is not valid, or too deep. */
function normalizeJson(body: ArrayBuffer, columns: readonly string[]): string | null {
  const normalizeRow = (row: unknown): unknown => {
    if (row === null || typeof row !== 'object') return row;
    const cells = Object.entries(row).map(([key, cell]): [string, unknown] => [
      key,
      columns.includes(key) && typeof cell === 'string' ? normalizeEmail(cell) : cell,
    ]);
    return Object.fromEntries(cells);
  };
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return JSON.stringify(Array.isArray(value) ? value.map(normalizeRow) : normalizeRow(value));
  } catch {
    return null;
  }
}
