/**
 * The Data API alone, over test tables. Clients are identified by role instead of by token: token
 * verification belongs to the Auth API and is tested there.
 */
import { randomUUID } from 'node:crypto';
import { PostgrestClient } from '@supabase/postgrest-js';
import { Hono } from 'hono';
import { pino } from 'pino';
import { type Database, type Statement, sql } from '@lanternrock/postgres';
import type { AppEnv } from '../../src/http/context.ts';
import { principalForRole } from '../../src/auth/sessions/authenticate.ts';
import { readConfig } from '../../src/config/settings.ts';
import type { DatabaseRole, Principal } from '../../src/principal.ts';
import { restSessionErrors, sessionFunctions } from '../../src/database/session-check.ts';
import { restRoutes } from '../../src/http/rest-routes.ts';
import { createRestService, type RestService } from '@lanternrock/rest';
import { openTestDatabase, type Engine } from './engines.ts';

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

/**
 * Opens the Data API over the given tables.
 *
 * @param script SQL that creates the tables of the test
 * @param onStatement receives every statement of a request
 */
export async function openRestFixture(
  engine: Engine,
  script: string,
  settings: Record<string, string> = {},
  onStatement: (statement: Statement) => void = () => {},
): Promise<RestFixture> {
  const test = await openTestDatabase(engine);
  const { database } = test;
  const userId = randomUUID();
  await database.maintenance(async (tx) => {
    await tx.query(sql`insert into auth.users (id, email) values (${userId}, 'member@example.org')`);
    await database.script(tx, script);
  });
  const config = readConfig({ DATA_DIR: test.dataDir, ...settings });
  const log = pino({ level: 'silent' });
  const rest = await createRestService({
    database: {
      ...database,
      batch: (statements, options) => {
        // The catalog is read without the query plans of a role.
        if (options?.planKey !== undefined) for (const statement of statements) onStatement(statement);
        return database.batch(statements, options);
      },
    },
    settings: config,
    authenticate: async (headers) =>
      testPrincipal((headers.get('x-test-role') ?? 'service_role') as DatabaseRole, userId),
    sessionFunctions,
    sessionErrors: restSessionErrors,
    apiName: config.PRODUCT_NAME,
    apiUrl: new URL('/rest/v1/', config.SITE_URL),
    log,
    now: () => new Date(),
  });
  const app = new Hono<AppEnv>();
  app.use(async (c, next) => {
    c.set('requestId', 'test-request');
    await next();
  });
  app.route('/rest/v1', restRoutes(rest, config.BODY_LIMIT, log));
  const url = 'http://localhost:3000/rest/v1';
  return {
    database,
    rest,
    url,
    databaseUrl: test.url,
    userId,
    request: async (path, { as = 'service_role', method = 'GET', headers = {}, body } = {}) => {
      const response = await app.request(`${url}${path}`, {
        method,
        headers: {
          'x-test-role': as,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const json =
        /^[\w./]+(json|\+json)(;|$)/.test(response.headers.get('content-type') ?? '') && text !== '';
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: json ? JSON.parse(text) : undefined,
      };
    },
    client: (role = 'service_role') =>
      new PostgrestClient(url, {
        headers: { 'x-test-role': role },
        fetch: async (input, init) => app.request(new Request(input, init)),
      }),
    close: test.dispose,
  };
}

function testPrincipal(role: DatabaseRole, userId: string): Principal {
  if (role !== 'authenticated') return principalForRole(role);
  return { ...principalForRole(role), claims: JSON.stringify({ role, sub: userId }), userId };
}
