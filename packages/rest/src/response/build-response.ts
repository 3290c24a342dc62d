/** Builds status and headers of responses. Bodies from Postgres are forwarded unchanged. */
import { RestError } from '../errors.ts';
import { notSingularError } from '../plan/plan-errors.ts';
import type { PlainResponse } from '../rest-types.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import { appliedPreferences } from '../parse/preferences.ts';
import type { WritePlan } from '../plan/write-plan.ts';
import type { ResultRow } from '../run/request-runner.ts';
import type { RestSettings } from '../settings.ts';
import { formatLocation } from './location-headers.ts';

/** Request headers that all responses depend on, including errors. */
export const varyHeader = 'Accept, Prefer, Range, Origin';

/** Maximum length of `Content-Location` in characters, because clients limit the size of headers. */
const maxLocationLength = 2000;

/** Builds the headers that all responses to a request have. */
export function buildBaseHeaders(
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

/** Builds the response with the query plan, whose lines are the rows. */
export function buildExplainResponse(
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
  /** Number of rows of the page. */
  readonly pageRows: number;
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
  const { pageRows, offset, total, body } = row;
  if (request.format.shape === 'object' && pageRows !== 1) throw notSingularError(String(pageRows));
  const totalText = total ?? '*';
  if (total !== null && offset > total) {
    throw new RestError(416, 'PGRST103', 'Requested range not satisfiable', {
      details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
      headers: { 'Content-Range': `*/${total}` },
    });
  }
  const isHead = request.method === 'HEAD';
  return {
    status: total !== null && pageRows < total ? 206 : 200,
    headers: {
      ...headers,
      ...(isHead ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      'Content-Range': pageRows === 0 ? `*/${totalText}` : `${offset}-${offset + pageRows - 1}/${totalText}`,
      'Content-Type': request.format.contentType,
      ...(location.length > maxLocationLength ? {} : { 'Content-Location': location }),
    },
    body: isHead ? null : body,
  };
}

export interface WriteRow {
  readonly writtenRows: number;
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
  const { writtenRows } = row;
  const total = request.preferences.count === null ? '*' : String(writtenRows);
  const range = plan.action.kind === 'update' && writtenRows > 0 ? `0-${writtenRows - 1}` : '*';
  return {
    status: writeStatus(request, plan, row),
    headers: {
      ...headers,
      // A PUT writes exactly one row.
      ...(request.method === 'PUT' ? {} : { 'Content-Range': `${range}/${total}` }),
      ...(row.key ? { Location: formatLocation(request.name, plan.relation.primaryKey, row.key) } : {}),
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
