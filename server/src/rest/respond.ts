/** Statuses and headers of answers, wire contract section 9. Bodies pass as Postgres made them. */
import { Refusal } from '../errors.ts';
import { notSingle } from './compile-guard.ts';
import type { DataRequest } from './data-request.ts';
import type { WritePlan } from './write-plan.ts';

/** What every answer of a request carries. */
export function commonHeaders(request: DataRequest, applied: string | null): Headers {
  const headers = new Headers({ Vary: 'Accept, Prefer, Range' });
  if (applied !== null) headers.set('Preference-Applied', applied);
  if (request.schemaShown) headers.set('Content-Profile', request.schema);
  return headers;
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
 * @throws Refusal 406 PGRST116 for a singular request; 416 PGRST103 behind the end
 */
export function readResponse(
  request: DataRequest,
  row: ReadRow,
  offset: number,
  headers: Headers,
  location: string,
): Response {
  const { page, total } = row;
  if (request.format.shape === 'object' && page !== 1) throw notSingle(String(page));
  const counted = total ?? '*';
  if (total !== null && offset > total) {
    throw new Refusal(416, 'PGRST103', 'Requested range not satisfiable', {
      details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
      headers: { 'Content-Range': `*/${total}` },
    });
  }
  headers.set('Content-Range', page === 0 ? `*/${counted}` : `${offset}-${offset + page - 1}/${counted}`);
  headers.set('Content-Type', request.format.contentType);
  headers.set('Content-Location', location);
  const status = total !== null && page < total ? 206 : 200;
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  headers.set('Content-Length', String(Buffer.byteLength(row.body)));
  return new Response(row.body, { status, headers });
}

export interface WriteRow {
  readonly page: number;
  /** Rows that did not exist before, in an upsert that merges; null otherwise. */
  readonly inserted: number | null;
  /** Key values of the only inserted row. */
  readonly key: readonly (string | null)[] | null;
  readonly body: string;
}

export interface WriteAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | null;
}

export function writeAnswer(
  request: DataRequest,
  plan: WritePlan,
  row: WriteRow,
  headers: Headers,
): WriteAnswer {
  const represented = plan.returning === 'rows';
  const { page } = row;
  const total = request.preferences.count === null ? '*' : String(page);
  const touched = plan.action.kind === 'update' && page > 0 ? `0-${page - 1}` : '*';
  headers.set('Content-Range', `${touched}/${total}`);
  if (row.key) headers.set('Location', keyLocation(request.name, plan.relation.primaryKey, row.key));
  const status = plan.action.kind === 'insert' ? (row.inserted === 0 ? 200 : 201) : represented ? 200 : 204;
  if (represented) headers.set('Content-Type', request.format.contentType);
  return { status, headers, body: represented ? row.body : null };
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

/** The address of a read with its parameters in order of their names. */
export function contentLocation(request: DataRequest, pairs: readonly (readonly [string, string])[]): string {
  const path = `${request.call ? '/rpc' : ''}/${encodeURIComponent(request.name)}`;
  if (pairs.length === 0) return path;
  const sorted = [...pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const query = new URLSearchParams(sorted.map(([key, value]): [string, string] => [key, value]));
  return `${path}?${query.toString()}`;
}
