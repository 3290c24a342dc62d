/** Statuses and headers of answers, wire contract section 9. Bodies pass as Postgres made them. */
import { ApiError } from '../errors.ts';
import { notSingularError } from './plan/plan-errors.ts';
import { varyHeader, type PlainResponse } from './plain-response.ts';
import type { RestRequest } from './parse/rest-request.ts';
import type { WritePlan } from './plan/write-plan.ts';

/** Characters of an address that an answer may repeat: clients limit the size of headers. */
const longestLocation = 2000;

/** What every answer of a request carries. */
export function baseHeaders(request: RestRequest, applied: string | null): Record<string, string> {
  return {
    Vary: varyHeader,
    ...(applied === null ? {} : { 'Preference-Applied': applied }),
    ...(request.schemaShown ? { 'Content-Profile': request.schema } : {}),
  };
}

/** What a statement of a read answered. */
export interface ReadRow {
  readonly page: number;
  /** Null when no count was asked for. */
  readonly total: number | null;
  readonly body: string;
}

/**
 * @param offset rows skipped before the page
 * @throws ApiError 406 PGRST116 for a singular request; 416 PGRST103 behind the end
 */
export function buildReadResponse(
  request: RestRequest,
  row: ReadRow,
  offset: number,
  headers: Readonly<Record<string, string>>,
  location: string,
): PlainResponse {
  const { page, total } = row;
  if (request.format.shape === 'object' && page !== 1) throw notSingularError(String(page));
  const counted = total ?? '*';
  if (total !== null && offset > total) {
    throw new ApiError(416, 'PGRST103', 'Requested range not satisfiable', {
      details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
      headers: { 'Content-Range': `*/${total}` },
    });
  }
  const bodiless = request.method === 'HEAD';
  return {
    status: total !== null && page < total ? 206 : 200,
    headers: {
      ...headers,
      ...(bodiless ? {} : { 'Content-Length': String(Buffer.byteLength(row.body)) }),
      'Content-Range': page === 0 ? `*/${counted}` : `${offset}-${offset + page - 1}/${counted}`,
      'Content-Type': request.format.contentType,
      ...(location.length > longestLocation ? {} : { 'Content-Location': location }),
    },
    body: bodiless ? null : row.body,
  };
}

export interface WriteRow {
  readonly page: number;
  /** Rows that did not exist before, in an upsert that merges; null otherwise. */
  readonly inserted: number | null;
  /** Key values of the only inserted row. */
  readonly key: readonly (string | null)[] | null;
  readonly body: string;
}

export function buildWriteResponse(
  request: RestRequest,
  plan: WritePlan,
  row: WriteRow,
  headers: Readonly<Record<string, string>>,
): PlainResponse {
  const represented = plan.returning === 'rows';
  const { page } = row;
  const total = request.preferences.count === null ? '*' : String(page);
  const touched = plan.action.kind === 'update' && page > 0 ? `0-${page - 1}` : '*';
  return {
    status: writeStatus(request, plan, row),
    headers: {
      ...headers,
      // A PUT is one row.
      ...(request.method === 'PUT' ? {} : { 'Content-Range': `${touched}/${total}` }),
      ...(row.key ? { Location: keyLocation(request.name, plan.relation.primaryKey, row.key) } : {}),
      ...(represented ? { 'Content-Type': request.format.contentType } : {}),
    },
    body: represented ? row.body : null,
  };
}

function writeStatus(
  { method }: RestRequest,
  { action, returning }: WritePlan,
  { inserted }: WriteRow,
): number {
  const represented = returning === 'rows';
  // Without a representation a PUT does not say whether the row was new.
  if (action.kind !== 'insert' || (method === 'PUT' && !represented)) return represented ? 200 : 204;
  return inserted === 0 ? 200 : 201;
}

function keyLocation(name: string, columns: readonly string[], values: readonly (string | null)[]): string {
  const query = new URLSearchParams(
    columns.map((column, index): [string, string] => {
      const value = values[index] ?? null;
      return [column, value === null ? 'is.null' : `eq.${value}`];
    }),
  );
  return `/${encodeURIComponent(name)}?${query.toString()}`;
}

/** The address of a read. */
export function contentLocation(request: RestRequest, sortedQuery: string): string {
  const path = `${request.call ? '/rpc' : ''}/${encodeURIComponent(request.name)}`;
  return sortedQuery === '' ? path : `${path}?${sortedQuery}`;
}
