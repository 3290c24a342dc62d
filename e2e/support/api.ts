/** The running product's interfaces, called from the test itself: to prepare data and to look behind the screen. */
import type { Instance } from './instance.ts';

export interface ApiResponse {
  readonly status: number;
  /** Parsed JSON; null for an empty body. */
  readonly body: unknown;
}

interface CallOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Access token or key of whoever calls; the public key by default. */
  readonly token?: string;
}

/** One call of the product; `path` begins with a slash. */
export async function request(
  product: Instance,
  path: string,
  options: CallOptions = {},
): Promise<ApiResponse> {
  const { body, token = product.anonKey(), headers } = options;
  const isSecretKey = token === product.serviceRoleKey();
  const response = await fetch(product.url + path, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      apikey: isSecretKey ? token : product.anonKey(),
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
}

/** As `call`, for what must work; fails with the answer's text otherwise. */
export async function requestOk(
  product: Instance,
  path: string,
  options: CallOptions = {},
): Promise<unknown> {
  const { status, body } = await request(product, path, options);
  if (status >= 400)
    throw new Error(`${options.method ?? ''} ${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

export type Row = Readonly<Record<string, unknown>>;

/** Rows of a table as the role service_role sees them; `query` as in the data interface. */
export async function listRows(product: Instance, table: string, query = 'select=*'): Promise<Row[]> {
  const token = product.serviceRoleKey();
  return (await requestOk(product, `/rest/v1/${table}?${query}`, { token })) as Row[];
}

/** Inserts rows as service_role and returns them. */
export async function insertRows(product: Instance, table: string, rows: readonly Row[]): Promise<Row[]> {
  return (await requestOk(product, `/rest/v1/${table}`, {
    body: rows,
    token: product.serviceRoleKey(),
    headers: { Prefer: 'return=representation' },
  })) as Row[];
}

/** Deletes rows as service_role. */
export async function deleteRows(product: Instance, table: string, query: string): Promise<void> {
  await requestOk(product, `/rest/v1/${table}?${query}`, {
    method: 'DELETE',
    token: product.serviceRoleKey(),
  });
}

let lastNumber = 0;

/** A word that no other test of this run uses, in lower case. */
export function unique(prefix: string): string {
  lastNumber += 1;
  return `${prefix}-${Date.now().toString(36)}${lastNumber}`;
}

/** An account as the console makes one, with everything but the name optional. */
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
