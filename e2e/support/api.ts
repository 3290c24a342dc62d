/** Direct API calls to the test instance, to prepare data and to check it. */
import type { Instance } from './instance.ts';

export interface ApiResponse {
  readonly status: number;
  /** Parsed JSON, or null for an empty body. */
  readonly body: unknown;
}

interface CallOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Access token or API key. Defaults to the publishable key. */
  readonly token?: string;
}

/**
 * Sends a request to the instance.
 *
 * @param path starts with a slash
 */
export async function request(
  instance: Instance,
  path: string,
  options: CallOptions = {},
): Promise<ApiResponse> {
  const { body, token = instance.anonKey(), headers } = options;
  const isSecretKey = token === instance.serviceRoleKey();
  const response = await fetch(instance.url + path, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      apikey: isSecretKey ? token : instance.anonKey(),
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
}

/**
 * Sends a request that must succeed and returns the body.
 *
 * @throws Error with the response body for a status of 400 or higher
 */
export async function requestOk(
  instance: Instance,
  path: string,
  options: CallOptions = {},
): Promise<unknown> {
  const { status, body } = await request(instance, path, options);
  if (status >= 400)
    throw new Error(`${options.method ?? ''} ${path} returned ${status}: ${JSON.stringify(body)}`);
  return body;
}

export type Row = Readonly<Record<string, unknown>>;

/**
 * Returns rows of a table as `service_role`.
 *
 * @param query query string of the Data API
 */
export async function listRows(instance: Instance, table: string, query = 'select=*'): Promise<Row[]> {
  const token = instance.serviceRoleKey();
  return (await requestOk(instance, `/rest/v1/${table}?${query}`, { token })) as Row[];
}

/** Inserts rows as `service_role` and returns them. */
export async function insertRows(instance: Instance, table: string, rows: readonly Row[]): Promise<Row[]> {
  return (await requestOk(instance, `/rest/v1/${table}`, {
    body: rows,
    token: instance.serviceRoleKey(),
    headers: { Prefer: 'return=representation' },
  })) as Row[];
}

/** Deletes rows as `service_role`. */
export async function deleteRows(instance: Instance, table: string, query: string): Promise<void> {
  await requestOk(instance, `/rest/v1/${table}?${query}`, {
    method: 'DELETE',
    token: instance.serviceRoleKey(),
  });
}

let lastNumber = 0;

/** Returns a lower-case word that is unique in this run. */
export function unique(prefix: string): string {
  lastNumber += 1;
  return `${prefix}-${Date.now().toString(36)}${lastNumber}`;
}

/** Returns an account row with the defaults of the console. */
export function account(name: string, fields: Row = {}): Row {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return {
    name,
    slug,
    account_type: 'organization',
    address: null,
    city: null,
    state: null,
    zip_code: null,
    status: 'active',
    ...fields,
  };
}
