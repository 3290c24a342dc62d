/** Builds status and headers of responses. Bodies from Postgres are forwarded unchanged. */
import { RestError } from '../errors.ts';
import { notSingularError } from '../plan/plan-errors.ts';
import type { PlainResponse } from '../rest-types.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import { appliedPreferences } from '../parse/preferences.ts';
import type { WritePlan } from '../plan/write-plan.ts';
import type { ResultRow } from '../run/request-runner.ts';
import type { RestSettings } from '../settings.ts';

/** Request headers that all responses depend on, including errors. */
export const varyHeader = 'Accept, Prefer, Range, Origin';

/** Maximum length of `Content-Location` in characters, because clients limit the size of headers. */
const maxLocationLength = 2000;

/** Returns the headers that all responses to a request have. */
export function baseHeaders(
  request: ParsedRequest,
  { TX_OVERRIDE: txOverride }: Pick<RestSettings, 'TX_OVERRIDE'>,
  isUpsert = false,
): Record<string, string> {
  const applied = appliedPreferences(request.preferences, {
    method: request.method,
    call: request.call,
    resolution: isUpsert,
    txOverride,
  });
  return {
    Vary: varyHeader,
    ...(applied === null ? {} : { 'Preference-Applied': applied }),
    ...(request.hasProfile ? { 'Content-Profile': request.schema } : {}),
  };
}

/** Returns the response with the query plan, whose lines are the rows. */
export function explainResponse(
  { method, format }: ParsedRequest,
  rows: readonly ResultRow[],
  headers: Readonly<Record<string, string>>,
): PlainResponse {
  return {
    status: 200,
    headers: { ...headers, 'Content-Type': format.contentType },
    body: method === 'HEAD' ? null : rows.map(([line]) => line ?? '').join('\n'),
  };
}

/** Result of a read statement. */
export interface ReadRow {
  readonly page: number;
  /** Rows skipped before the page. */
  readonly offset: number;
  /** Null without a count preference. */
  readonly total: number | null;
  readonly body: string;
}

/**
 * Builds the response to a read.
 *
 * @throws RestError 406 PGRST116 if a singular request did not match one row; 416 PGRST103 for an offset behind the end
 */
export function buildReadResponse(
  request: ParsedRequest,
  row: ReadRow,
  headers: Readonly<Record<string, string>>,
  location: string,
): PlainResponse {
  const { page, offset, total, body } = row;
  if (request.format.shape === 'object' && page !== 1) throw notSingularError(String(page));
  const totalText = total ?? '*';
  if (total !== null && offset > total) {
    throw new RestError(416, 'PGRST103', 'Requested range not satisfiable', {
      details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
      headers: { 'Content-Range': `*/${total}` },
    });
  }
  const withoutBody = request.method === 'HEAD';
  return {
    status: total !== null && page < total ? 206 : 200,
    headers: {
      ...headers,
      ...(withoutBody ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      'Content-Range': page === 0 ? `*/${totalText}` : `${offset}-${offset + page - 1}/${totalText}`,
      'Content-Type': request.format.contentType,
      ...(location.length > maxLocationLength ? {} : { 'Content-Location': location }),
    },
    body: withoutBody ? null : body,
  };
}

export interface WriteRow {
  readonly page: number;
  /** Number of rows inserted by a merging upsert; null for other writes. */
  readonly inserted: number | null;
  /** Primary key of the inserted row; null unless exactly one row was inserted. */
  readonly key: readonly (string | null)[] | null;
  readonly body: string;
}

/** Builds the response to a write. */
export function buildWriteResponse(
  request: ParsedRequest,
  plan: WritePlan,
  row: WriteRow,
  headers: Readonly<Record<string, string>>,
): PlainResponse {
  const withRows = plan.returning === 'rows';
  const { page } = row;
  const total = request.preferences.count === null ? '*' : String(page);
  const range = plan.action.kind === 'update' && page > 0 ? `0-${page - 1}` : '*';
  return {
    status: writeStatus(request, plan, row),
    headers: {
      ...headers,
      // A PUT writes exactly one row.
      ...(request.method === 'PUT' ? {} : { 'Content-Range': `${range}/${total}` }),
      ...(row.key ? { Location: keyLocation(request.name, plan.relation.primaryKey, row.key) } : {}),
      ...(withRows ? { 'Content-Type': request.format.contentType } : {}),
    },
    body: withRows ? row.body : null,
  };
}

function writeStatus(
  { method }: ParsedRequest,
  { action, returning }: WritePlan,
  { inserted }: WriteRow,
): number {
  const withRows = returning === 'rows';
  // Without a representation, PUT responds with 204 for new and existing rows.
  if (action.kind !== 'insert' || (method === 'PUT' && !withRows)) return withRows ? 200 : 204;
  return inserted === 0 ? 200 : 201;
}

function keyLocation(name: string, columns: readonly string[], values: readonly (string | null)[]): string {
  const query = new URLSearchParams(
    columns.map((column, index): [string, string] => {
      const value = values[index] ?? null;
      return [toKey(column), value === null ? 'is.null' : `eq.${value}`];
    }),
  );
  return `/${encodeURIComponent(name)}?${query.toString()}`;
}

/** Parameters that are not filters. */
const keywords = new Set(['select', 'columns', 'on_conflict', 'order', 'limit', 'offset', 'and', 'or']);

/** Returns the parameter that filters by a column; in quotes if the name would have another meaning. */
const toKey = (column: string): string =>
  /^[\p{L}\p{N}_$ ]+$/u.test(column) && !keywords.has(column)
    ? column
    : `"${column.replace(/["\\]/g, '\\$&')}"`;

/** Returns the `Content-Location` header of a read. */
export function contentLocation(request: ParsedRequest, sortedQuery: string): string {
  const path = `${request.call ? '/rpc' : ''}/${encodeURIComponent(request.name)}`;
  return sortedQuery === '' ? path : `${path}?${sortedQuery}`;
}
