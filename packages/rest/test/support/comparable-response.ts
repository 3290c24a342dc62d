/** Makes responses of this service and of PostgREST comparable. */
import { parse } from 'csv-parse/sync';

/** The comparable part of a response. Of errors only the code, because the messages have changed since. */
export function toComparable(status: number, headers: Headers, text: string): unknown {
  const range = headers.get('content-range');
  if (status >= 300) return { status, code: text === '' ? '' : (JSON.parse(text) as { code?: string }).code };
  const type = headers.get('content-type') ?? '';
  const body = text === '' ? '' : type.includes('json') ? lossless(text) : csvRows(text);
  return { status, range, location: headers.get('location'), body };
}

/** Cells by column: PostgREST appends embeds, and this service keeps the requested order. */
function csvRows(text: string): unknown {
  return parse(text, { columns: true, cast: normalizeCell });
}

/** JSON inside CSV is compared as JSON: PostgREST converts it to jsonb, which changes spaces and order. */
function normalizeCell(cell: string): unknown {
  if (!/^[[{]/.test(cell)) return cell;
  try {
    // The row as text, which both split into cells, doubles backslashes.
    return lossless(cell.replaceAll('\\\\', '\\'));
  } catch {
    return cell;
  }
}

/** Numbers stay text, so that a changed digit is detected. */
function lossless(text: string): unknown {
  return JSON.parse(
    text.replace(
      /("(?:\\.|[^"\\])*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g,
      (digits, string: string | undefined) => string ?? `"#${digits}"`,
    ),
  );
}
