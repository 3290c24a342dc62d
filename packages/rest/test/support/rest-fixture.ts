/**
 * The Data API over test tables, without a server. Clients are identified by role instead of by token: token
 * verification belongs to the Auth API and is tested there.
 */
import { randomUUID } from 'node:crypto';
import { PostgrestClient } from '@supabase/postgrest-js';
import { pino } from 'pino';
import { type Database, type Statement, sql } from '@lanternrock/postgres';
import { createRestService, type RestOptions, type RestService } from '@lanternrock/rest';
import { defaultRestSettings, type RestSettings } from '@lanternrock/rest/settings';
import type { DatabaseRole, Principal } from '@lanternrock/rest/types';
import { openTestDatabase, type Engine } from '@lanternrock/testing/engines';

export interface RestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed body; undefined without a body. */
  readonly body: unknown;
}

export interface RestCall {
  readonly as?: DatabaseRole;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** A string is sent unchanged, any other value as JSON. */
  readonly body?: unknown;
}

export interface RestFixture {
  readonly database: Database;
  readonly rest: RestService;
  readonly url: string;
  /** For a second server on the same database; empty for the embedded engine. */
  readonly databaseUrl: string;
  /** User ID of the role `authenticated`. */
  readonly userId: string;
  /** @param path path and query after `/rest/v1`, for example `/films?select=title` */
  request(path: string, request?: RestCall): Promise<RestResponse>;
  client(role?: DatabaseRole): PostgrestClient;
  close(): Promise<void>;
}

interface RestFixtureOptions extends Partial<Pick<RestOptions, 'reserveWrites'>> {
  /** Differences from the defaults. */
  readonly settings?: Partial<RestSettings>;
  /** Receives every statement of a request, except the one that reads its role before the request is checked. */
  readonly onStatement?: (statement: Statement) => void;
}

/**
 * Opens the Data API over the given tables.
 *
 * @param script SQL that creates the tables of the test
 */
export async function openRestFixture(
  engine: Engine,
  script: string,
  { settings = {}, onStatement = () => {}, reserveWrites = null }: RestFixtureOptions = {},
): Promise<RestFixture> {
  const test = await openTestDatabase(engine);
  const { database } = test;
  const userId = randomUUID();
  await database.maintenance(async (tx) => {
    await tx.query(sql`insert into auth.users (id, email) values (${userId}, 'member@example.org')`);
    await database.script(tx, script);
  });
  const rest = await createRestService({
    database: {
      ...database,
      batch: (statements, options) => {
        // The batches that load the schema cache or read the role have no plan key.
        if (options?.planKey !== undefined) for (const statement of statements) onStatement(statement);
        return database.batch(statements, options);
      },
      transaction: (work) =>
        database.transaction((tx) =>
          work({
            query: (statement) => {
              onStatement(statement);
              return tx.query(statement);
            },
          }),
        ),
    },
    settings: { ...defaultRestSettings, ...settings },
    authenticate: async (headers) =>
      testPrincipal((headers.get('x-test-role') ?? 'service_role') as DatabaseRole, userId),
    sessionFunctions: {
      checkSession: 'auth.require_live_session',
      requestRole: 'private.request_role',
      elevatedRoles: ['platform_administrator'],
    },
    sessionErrors,
    idempotencyStore: { table: 'private.request_keys', storeResponse: 'private.keep_answer' },
    reserveWrites,
    serverName: 'lanternrock',
    apiName: 'Lanternrock',
    apiUrl: new URL('https://console.example.org/rest/v1/'),
    log: pino({ level: 'silent' }),
    now: () => new Date(),
  });
  const url = 'http://localhost:3000/rest/v1';
  return {
    database,
    rest,
    url,
    databaseUrl: test.url,
    userId,
    request: async (path, { as = 'service_role', method = 'GET', headers = {}, body } = {}) => {
      const response = await send(rest, `${url}${path}`, {
        method,
        headers: {
          'x-test-role': as,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = /^[\w./]+\+?json(;|$)/.test(response.headers.get('content-type') ?? '') && text !== '';
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson ? JSON.parse(text) : undefined,
      };
    },
    client: (role = 'service_role') =>
      new PostgrestClient(url, {
        headers: { 'x-test-role': role },
        fetch: (input, init) => send(rest, input, init),
      }),
    close: test.dispose,
  };
}

/** The errors of `auth.require_live_session`, as the server maps them. */
const sessionErrors = {
  LR001: { status: 401, code: 'PGRST303' },
  LR002: { status: 401, code: 'PGRST303' },
  LR003: { status: 403, code: 'password_not_set' },
  LR004: { status: 403, code: 'insufficient_aal' },
};

/** Sends a request to the service without a server. */
async function send(rest: RestService, input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  const { status, headers, body } = await rest.handle({
    method: request.method,
    path: pathname.slice('/rest/v1'.length),
    query: search.slice(1),
    headers: request.headers,
    requestId: 'test-request',
    origin: 'interface',
    readBody: () => request.arrayBuffer(),
    onClientAbort: () => () => {},
  });
  // HTTP servers send no body in response to HEAD.
  return new Response(request.method === 'HEAD' ? null : body, { status, headers });
}

function testPrincipal(role: DatabaseRole, userId: string): Principal {
  const [claims, id] = role === 'authenticated' ? [{ role, sub: userId }, userId] : [{ role }, null];
  return { role, claims: JSON.stringify(claims), userId: id, sessionId: null, aal: null };
}
