/** One data request from its parts to its answer: tokens, plan (cached by shape), statement, answer. */
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { RequestScope } from '../database/request-scope.ts';
import { Refusal } from '../errors.ts';
import type { Identity } from '../identity.ts';
import { allowedMethods } from './allowed-methods.ts';
import { checkRead, rowsOf } from './check-read.ts';
import { findRelation, type CheckContext } from './check-names.ts';
import { checkWrite, type WriteRequest } from './check-write.ts';
import { compileEstimate, compileRead } from './compile-frame.ts';
import { fill, identifier, type Compiled } from './compile-text.ts';
import { compileWrite } from './compile-write.ts';
import type { DataRequest } from './data-request.ts';
import { parseSelect } from './parse-select.ts';
import type { Slot, SlotValue } from './plan.ts';
import { appliedPreferences } from './preferences.ts';
import { tokenizeQuery, type QueryTokens } from './query-tokens.ts';
import { decodeJson, inspectBody, type JsonBody } from './request-body.ts';
import { commonHeaders, contentLocation, readResponse, writeResponse } from './respond.ts';
import { run, runAndUndo, type Run } from './run-statement.ts';
import type { SchemaCacheHolder } from './schema-cache-holder.ts';
import type { WritePlan } from './write-plan.ts';

export interface HandlerOptions {
  readonly database: Database;
  readonly config: Config;
  readonly holder: SchemaCacheHolder;
}

interface ReadEntry {
  readonly kind: 'read';
  readonly statement: Compiled;
  readonly estimate: Compiled | null;
  readonly offset: Slot | null;
}

interface WriteEntry {
  readonly kind: 'write';
  readonly statement: Compiled;
  readonly plan: WritePlan;
}

type Entry = ReadEntry | WriteEntry;

/** Codes of names that a fresher cache might know. */
const missing = new Set(['PGRST200', 'PGRST202', 'PGRST204', 'PGRST205', '42703']);

/** The request with everything that its steps share. */
interface Asked {
  readonly request: DataRequest;
  readonly identity: Identity;
  readonly scope: RequestScope;
}

export class RequestHandler {
  readonly #options: HandlerOptions;
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: 16_000_000,
    sizeCalculation: (entry, key) => key.length + entry.statement.text.length + 200,
  });

  constructor(options: HandlerOptions) {
    this.#options = options;
    options.holder.onReload(() => this.#entries.clear());
  }

  async answer(request: DataRequest, identity: Identity, requestId: string, body: () => Promise<ArrayBuffer>): Promise<Response> {
    const asked: Asked = { request, identity, scope: this.#scope(request, identity, requestId) };
    if (request.method === 'OPTIONS') return this.#options_(asked);
    if (request.method === 'GET' || request.method === 'HEAD') return this.#read(asked);
    return this.#write(asked, body);
  }

  #scope({ schema, method, preferences }: DataRequest, identity: Identity, requestId: string): RequestScope {
    const path = new Set([schema, ...this.#options.config.EXTRA_SEARCH_PATH]);
    return {
      identity,
      readOnly: method === 'GET' || method === 'HEAD',
      statementTimeout: this.#options.config.STATEMENT_TIMEOUT,
      searchPath: [...path].map(identifier).join(', '),
      requestId,
      timeZone: preferences.timezone,
    };
  }

  async #context({ request, identity }: Asked): Promise<CheckContext> {
    const cache = await this.#options.holder.get();
    return { cache, schema: request.schema, role: identity.role, aggregates: this.#options.config.AGGREGATES };
  }

  /** Looks up or makes what a shape needs; a name that is missing gets one look at a fresher catalog. */
  async #entry<E extends Entry>(key: string, kind: E['kind'], make: () => Promise<E>): Promise<E> {
    const known = this.#entries.get(key);
    if (known?.kind === kind) return known as E;
    let made: E;
    try {
      made = await make();
    } catch (error) {
      const stale = error instanceof Refusal && missing.has(error.code);
      if (!stale || !(await this.#options.holder.refresh())) throw error;
      made = await make();
    }
    this.#entries.set(key, made);
    return made;
  }

  #tokens({ query }: DataRequest, call: boolean): QueryTokens {
    const { LOGIC_DEPTH, MAX_ROWS } = this.#options.config;
    return tokenizeQuery(query, { logicDepth: LOGIC_DEPTH, maxRows: MAX_ROWS, call });
  }

  async #read(asked: Asked): Promise<Response> {
    const { request, identity, scope } = asked;
    const tokens = this.#tokens(request, false);
    const { count } = request.preferences;
    // An estimate tells the size of a whole table, so only the role that sees it all may ask for one.
    const estimated = count !== null && count !== 'exact' && identity.role === 'service_role';
    const shape = request.method === 'HEAD' ? 'none' : request.format.shape;
    const key = JSON.stringify(['read', request.schema, request.name, shape, request.format.stripNulls, count, estimated, tokens.shape]);
    const entry = await this.#entry<ReadEntry>(key, 'read', async () => {
      const context = await this.#context(asked);
      const relation = findRelation(context, request.name);
      const items = parseSelect(tokens.select ?? '', { depth: this.#options.config.EMBED_DEPTH });
      const level = checkRead(context, rowsOf(relation), items, tokens);
      const body = { shape, stripNulls: request.format.stripNulls } as const;
      const total = count !== null && !(estimated && count === 'planned');
      return {
        kind: 'read',
        statement: compileRead(level, { maxRows: this.#options.config.MAX_ROWS, total, body }),
        estimate: estimated ? compileEstimate(level) : null,
        offset: level.offset,
      };
    });
    const next = entry.estimate ? fill(entry.estimate, tokens.values) : undefined;
    const { rows, next: estimate } = await run(this.#options.database, scope, fill(entry.statement, tokens.values), next);
    const [page, total, body] = rows[0] ?? [];
    const offset = entry.offset === null ? 0 : Number(tokens.values[entry.offset]);
    const exact = total ? Number(total) : null;
    return readResponse(
      request,
      { page: Number(page), total: estimate[0] ? withEstimate(exact, estimate[0][0]) : exact, body: body ?? '' },
      offset,
      commonHeaders(request, this.#applied(request, false)),
      contentLocation(request, tokens.pairs),
    );
  }

  async #write(asked: Asked, readBody: () => Promise<ArrayBuffer>): Promise<Response> {
    const { request, scope } = asked;
    const tokens = this.#tokens(request, false);
    const body = await this.#body(request, tokens, readBody);
    const { preferences, format } = request;
    const values: SlotValue[] = [...tokens.values];
    const bodySlot = values.push(body?.text ?? null) - 1;
    const strict = preferences.handling === 'strict' && request.method !== 'POST';
    const maxAffected = strict && preferences.maxAffected !== null ? values.push(preferences.maxAffected) - 1 : null;
    const key = JSON.stringify([
      request.method, request.schema, request.name, format.shape, format.stripNulls, preferences.return,
      preferences.resolution, preferences.missing, maxAffected, body?.isArray, body?.keys, tokens.shape,
    ]);
    const entry = await this.#entry<WriteEntry>(key, 'write', async () => {
      const context = await this.#context(asked);
      const relation = findRelation(context, request.name);
      const method = request.method as WriteRequest['method'];
      const embedDepth = this.#options.config.EMBED_DEPTH;
      const plan = checkWrite(context, { method, relation, tokens, preferences, body, bodySlot, embedDepth });
      const guards = { single: format.shape === 'object', maxAffected, unfiltered: this.#unfiltered(plan) };
      const form = { shape: format.shape, stripNulls: format.stripNulls };
      return { kind: 'write', plan, statement: compileWrite(plan, { maxRows: this.#options.config.MAX_ROWS, body: form, guards }) };
    });
    const { rows } = await this.#perform(request, scope, entry, values);
    const [page, inserted, location, answer] = rows[0] ?? [];
    const row = {
      page: Number(page),
      inserted: inserted ? Number(inserted) : null,
      key: location ? (JSON.parse(location) as (string | null)[]) : null,
      body: answer ?? '',
    };
    const applied = this.#applied(request, entry.plan.action.kind === 'insert' && entry.plan.action.conflict !== null);
    return writeResponse(request, entry.plan, row, commonHeaders(request, applied));
  }

  async #perform(request: DataRequest, scope: RequestScope, entry: WriteEntry, values: readonly SlotValue[]): Promise<Run> {
    const statement = fill(entry.statement, values);
    const undo = request.preferences.tx === 'rollback' && this.#options.config.TX_OVERRIDE;
    return undo ? runAndUndo(this.#options.database, scope, statement) : run(this.#options.database, scope, statement);
  }

  #unfiltered({ action, level }: WritePlan): 'UPDATE' | 'DELETE' | null {
    if (!this.#options.config.REQUIRE_FILTER || level.where.length > 0) return null;
    if (action.kind === 'delete') return 'DELETE';
    return action.kind === 'update' && action.payload.columns.length > 0 ? 'UPDATE' : null;
  }

  async #body({ method, headers }: DataRequest, tokens: QueryTokens, read: () => Promise<ArrayBuffer>): Promise<JsonBody | null> {
    if (method === 'DELETE') return null;
    return inspectBody(decodeJson(await read(), headers.get('content-type')), tokens.columns !== null);
  }

  #applied(request: DataRequest, resolution: boolean): string | null {
    return appliedPreferences(request.preferences, {
      method: request.method,
      call: request.call,
      resolution,
      txOverride: this.#options.config.TX_OVERRIDE,
    });
  }

  async #options_(asked: Asked): Promise<Response> {
    const context = await this.#context(asked);
    return new Response(null, { status: 200, headers: { Allow: allowedMethods(context, asked.request) } });
  }
}

/** The larger of what was counted and what the planner expects. */
function withEstimate(counted: number | null, plan: string | null | undefined): number {
  const parsed = JSON.parse(plan ?? '[]') as { Plan?: { 'Plan Rows'?: number } }[];
  return Math.max(counted ?? 0, parsed[0]?.Plan?.['Plan Rows'] ?? 0);
}
