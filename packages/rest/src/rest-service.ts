/** The Data API: authenticates a request, checks the privileges of its role, and runs its handler. */
import type { Logger } from 'pino';
import type { Database } from '@lanternrock/postgres';
import { RestError } from './errors.ts';
import { parseRequest, type ParsedRequest, type RequestRules } from './parse/parse-request.ts';
import { buildErrorResponse, type SessionErrors } from './response/error-response.ts';
import { findRelation, type CheckContext } from './check/lookups.ts';
import { findElevationError, requireRights } from './check/rights.ts';
import { createOpenApiHandler } from './handlers/openapi-handler.ts';
import { PlanCache } from './handlers/plan-cache.ts';
import { createRunCheck } from './handlers/run-check.ts';
import { handleRead } from './handlers/read-handler.ts';
import { handleRoutine } from './handlers/routine-handler.ts';
import { handleWrite } from './handlers/write-handler.ts';
import type { IdempotencyStore } from './run/idempotency.ts';
import { RequestRunner, type AuthenticatedRequest } from './run/request-runner.ts';
import { WriteLimit, type ReserveWrites } from './run/write-limit.ts';
import type { SessionFunctions } from './run/request-settings.ts';
import type { Authenticate, PlainResponse, Principal, RestRequest } from './rest-types.ts';
import { SchemaCacheManager } from './schema/schema-cache-manager.ts';
import type { RestSettings } from './settings.ts';

export interface RestOptions {
  readonly settings: RestSettings;
  readonly database: Database;
  readonly authenticate: Authenticate;
  /** Functions that check the session and return the role; null for a database without them. */
  readonly sessionFunctions: SessionFunctions | null;
  /** Null for a database without a store: the header `Idempotency-Key` has no effect. */
  readonly idempotencyStore: IdempotencyStore | null;
  /** Limits the rows that a user writes; null for no limit. */
  readonly reserveWrites: ReserveWrites | null;
  readonly sessionErrors: SessionErrors;
  /** Name of this server in the header `Proxy-Status` (RFC 9209). */
  readonly serverName: string;
  /** Title and public URL of the API, for the OpenAPI document. */
  readonly apiName: string;
  readonly apiUrl: URL;
  readonly log: Logger;
  readonly now: () => Date;
}

export interface RestService {
  /** Responds to a request. Never throws: errors become responses in the format of PostgREST. */
  handle(request: RestRequest): Promise<PlainResponse>;
  /** Returns the response to an error of the server, for example a body that is too large. */
  buildErrorResponse(error: RestError): PlainResponse;
  /** Reloads the schema cache. */
  reload(): Promise<void>;
}

/** Loads the schema cache and creates the service. */
export async function createRestService(options: RestOptions): Promise<RestService> {
  const { settings, database, authenticate, serverName, sessionErrors, log } = options;
  const elevatedRoles = options.sessionFunctions?.elevatedRoles ?? [];
  const schemaCache = new SchemaCacheManager({ ...options, elevatedRoles });
  schemaCache.onReload(() => database.discardPlans());
  await schemaCache.start();
  const runCheck = createRunCheck(settings, schemaCache);
  const plans = new PlanCache(settings, schemaCache, runCheck);
  const runner = new RequestRunner({ ...options, schemaCache });
  const writeLimit = new WriteLimit(options.reserveWrites);
  const context = { settings, plans, runner, writeLimit, idempotencyStore: options.idempotencyStore };
  const api = { name: options.apiName, url: options.apiUrl };
  const handleOpenApi = createOpenApiHandler({ settings, schemaCache, runner, api });
  const rules = (): RequestRules => ({
    schemas: settings.EXPOSED_SCHEMAS,
    formats: { explain: settings.PLAN, geoJson: (schemaCache.current?.asGeoJson ?? null) !== null },
  });
  const errors = { serverName, sessionErrors, log };
  const dispatch = async (incoming: AuthenticatedRequest): Promise<PlainResponse> => {
    const { request } = incoming;
    const { method, call, name } = request;
    const elevationError = await runCheck(incoming, (checkContext) => {
      requireRights(checkContext, request);
      return findElevationError(checkContext, request);
    });
    if (elevationError && (await runner.predictRole(incoming)) === incoming.principal.role)
      throw elevationError;
    if (method === 'OPTIONS') {
      const allow = await runCheck(incoming, (checkContext) => allowedMethods(checkContext, request));
      return { status: 200, headers: { Allow: allow }, body: null };
    }
    if (call) return handleRoutine(context, incoming);
    if (name === '') return handleOpenApi(incoming);
    if (method === 'GET' || method === 'HEAD') return handleRead(context, incoming);
    await writeLimit.require(incoming.principal.userId);
    return handleWrite(context, incoming, method);
  };
  return {
    handle: async (incoming) => {
      let principal: Principal | null = null;
      try {
        principal = await authenticateRequest(authenticate, incoming);
        const request = parseRequest(incoming, rules());
        const { requestId, origin, readBody, onClientAbort } = incoming;
        return await dispatch({ request, principal, requestId, origin, readBody, onClientAbort });
      } catch (error) {
        const { requestId } = incoming;
        return buildErrorResponse(error, { ...errors, role: principal?.role ?? null, requestId });
      }
    },
    buildErrorResponse: (error) => buildErrorResponse(error, { ...errors, role: null, requestId: '' }),
    reload: () => schemaCache.reload(),
  };
}

async function authenticateRequest(authenticate: Authenticate, { headers }: RestRequest): Promise<Principal> {
  const result = await authenticate(headers);
  if (!('rejected' in result)) return result;
  throw new RestError(401, result.rejected === 'signature' ? 'PGRST301' : 'PGRST303', result.message, {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** Returns the `Allow` header: the methods that the relation or function supports, regardless of the role. */
function allowedMethods(context: CheckContext, { name, call, schema }: ParsedRequest): string {
  if (call) {
    const readOnly = context.cache.routines(schema, name).some((routine) => routine.readOnly);
    return readOnly ? 'OPTIONS,GET,HEAD,POST' : 'OPTIONS,POST';
  }
  if (name === '') return 'OPTIONS,GET,HEAD';
  const { insertable, updatable, deletable, primaryKey } = findRelation(context, name);
  return [
    'OPTIONS,GET,HEAD',
    ...(insertable ? ['POST'] : []),
    ...(insertable && updatable && primaryKey.length > 0 ? ['PUT'] : []),
    ...(updatable ? ['PATCH'] : []),
    ...(deletable ? ['DELETE'] : []),
  ].join(',');
}
