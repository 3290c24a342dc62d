/** Defines functions of the Functions API: `POST` with a JSON object, by a platform administrator. */
import type { Context } from 'hono';
import {
  type FunctionName,
  type FunctionOutput,
  type FunctionSchema,
  isReadingFunction,
  type ParsedInput,
} from '@lanternrock/contract/functions';
import { controlCharactersMessage } from '@lanternrock/contract/text-checks';
import type * as z from 'zod/mini';
import { type Database, type Statement, type Transaction, sql } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import type { Authenticate, ClientInfo, Principal } from '@lanternrock/auth';
import type { AuditChain } from '../audit/audit-chain.ts';
import type { Config } from '../config/settings.ts';
import { DomainError } from '../errors.ts';
import { bodySizeLimit } from '../http/body-limit.ts';
import type { AppEnv } from '../http/context.ts';
import { readClientInfo } from '../http/request-context.ts';
import type { Authorize } from '../administrators/email-action.ts';
import type { Invitations } from '../invitations/invitations.ts';
import type { Outbox } from '../mail/outbox.ts';
import { createIdempotentCall, type IdempotentCalls } from './idempotent-calls.ts';

/** What the functions use. */
export interface FunctionServices {
  readonly config: Config;
  readonly database: Database;
  readonly auth: FunctionAuth;
  readonly auditChain: Pick<AuditChain, 'exportLines'>;
  readonly invitations: Invitations;
  readonly outbox: Outbox;
  readonly idempotentCalls: IdempotentCalls;
  readonly clock: DatabaseClock;
}

/** The subset of the Auth API that functions use. */
interface FunctionAuth {
  readonly authenticate: Authenticate;
  /** @throws AuthError 400 `reauthentication_needed` */
  requireFresh(request: FunctionRequest, change: string): Promise<void>;
  /** @throws AuthError 429 */
  limitUser(window: FunctionLimit, client: LimitedClient): Promise<void>;
}

type LimitedClient = Pick<ClientInfo, 'ip'> & Pick<Principal, 'userId' | 'sessionId'>;

/** Calls of one session, across all replicas. Functions with the same name share the count. */
interface FunctionLimit {
  readonly name: string;
  readonly limit: number;
  readonly seconds: number;
}

interface FunctionRequest {
  readonly headers: Headers;
  readonly client: ClientInfo;
}

export interface FunctionCall<Input> extends FunctionServices {
  readonly input: Input;
  readonly principal: Principal;
  readonly client: ClientInfo;
  /** `performance.now()` when the request reached the service. */
  readonly startedAt: number;
  /** Reads the clock of the database. */
  readonly now: DatabaseClock['read'];
  /**
   * Checks the administrator again, in the transaction of the action, and names the user to the audit triggers. Reads the
   * role from the database and not from the token, so a removed administrator is rejected immediately.
   *
   * @throws DomainError not_platform_admin, role_ended, second_factor_required
   * @throws QueryError with a code that `sessionErrorCode` converts
   */
  readonly authorize: Authorize;
  /** Runs a transaction that starts with `authorize`. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export interface FunctionDefinition<Name extends FunctionName> {
  /** The last segment of the path. */
  readonly name: Name;
  /** `session`: for every signed-in user. Without it, for administrators. */
  readonly requires?: 'session';
  /** Schema of the body. With null, the body is not read. */
  readonly input: FunctionSchema<Name>;
  /** Required for every function that writes a row, sends an email or queries another server. */
  readonly limit?: FunctionLimit;
  /** Requires a fresh session (step-up), before the body is read. The action, for the message. */
  readonly fresh?: string;
  /** Maximum size of the body in bytes. The default is enough for names and email addresses. */
  readonly maxBodyBytes?: number;
  /** Adds `Cache-Control: no-store`. */
  readonly noStore?: boolean;
  /** The response must not be stored, so `Idempotency-Key` has no effect: a repeated request runs again. */
  readonly returnsSecret?: boolean;
  /** Returns the body of the response with status 200, or the response. */
  readonly work: (call: FunctionCall<ParsedInput<Name>>) => Promise<FunctionOutput<Name>>;
}

export interface DefinedFunction<Name extends FunctionName = FunctionName> {
  readonly name: Name;
  /** See `FunctionDefinition`. */
  readonly fresh: string | undefined;
  readonly limit: FunctionLimit | undefined;
  handle(c: Context<AppEnv>, services: FunctionServices): Promise<Response>;
}

export function defineFunction<Name extends FunctionName>(
  definition: FunctionDefinition<Name>,
): DefinedFunction<Name> {
  const { name, fresh, limit, maxBodyBytes = 16_384, noStore, work } = definition;
  const limitBody = bodySizeLimit(maxBodyBytes, rejectTooLarge);
  const isOpen = definition.requires === 'session';
  const honorsKey = !isReadingFunction(name) && definition.returnsSecret !== true;
  return {
    name,
    fresh,
    limit,
    handle: async (c, services) => {
      const { database, auth, idempotentCalls, clock } = services;
      const startedAt = performance.now();
      const client = readClientInfo(c);
      const principal = await requirePrincipal(c, auth.authenticate);
      const applied = applyPrincipal(principal, client);
      const [, checked] = await database.batch([applied, readDenial]);
      if (!isOpen) rejectDenial(checked?.rows[0]?.[0]);
      if (fresh) await auth.requireFresh({ headers: c.req.raw.headers, client }, fresh);
      // After the step-up, so that a stolen token that may not do this cannot use up the limit of the user.
      if (limit && principal.userId !== null) await auth.limitUser(limit, { ...principal, ip: client.ip });
      // After the checks, so that other clients learn the missing right and cannot make the service read a large body.
      await limitBody(c, doNothing);
      const input = await readInput(c, definition);
      const run = (claim: (tx: Transaction) => Promise<void>): Promise<object> => {
        const authorize = async (tx: Transaction): Promise<void> => {
          await tx.query(applied);
          const [row] = await tx.query<{ denial: string | null }>(readDenial);
          if (!isOpen) rejectDenial(row?.denial);
          await claim(tx);
        };
        const transaction = <T>(inTransaction: (tx: Transaction) => Promise<T>): Promise<T> =>
          database.transaction(async (tx) => {
            await authorize(tx);
            return inTransaction(tx);
          });
        const now = clock.read;
        return work({ ...services, input, principal, client, startedAt, now, authorize, transaction });
      };
      const headers = noStore ? { 'Cache-Control': 'no-store' } : {};
      const key = honorsKey ? c.req.header('Idempotency-Key') : undefined;
      if (key === undefined) {
        const response = await run(doNothing);
        return response instanceof Response ? response : c.json(response, 200, headers);
      }
      const caller = principal.userId ?? principal.role;
      const body = await idempotentCalls.run(
        createIdempotentCall(key, caller, [name, await c.req.text()]),
        run,
      );
      return c.body(body, 200, { ...headers, 'Content-Type': 'application/json' });
    },
  };
}

/**
 * Verifies the token of the request. An invalid token is reported with the header `x-relay-error`, by which the
 * Supabase client distinguishes a request that did not reach the function.
 *
 * @throws DomainError not_authenticated
 */
export async function requirePrincipal(c: Context<AppEnv>, authenticate: Authenticate): Promise<Principal> {
  const principal = await authenticate(c.get('headers') ?? c.req.raw.headers);
  if ('rejected' in principal) {
    c.header('x-relay-error', 'true');
    throw notSignedIn();
  }
  if (principal.role === 'anon') throw notSignedIn();
  return principal;
}

/** @throws DomainError request_entity_too_large */
const rejectTooLarge = (): never => {
  throw new DomainError('request_entity_too_large', 'The request body is too large.');
};

const doNothing = async (): Promise<void> => {};

const notSignedIn = (): DomainError =>
  new DomainError('not_authenticated', 'Sign in first: the request has no valid access token.');

/**
 * Checks the session and sets the claims, the request ID and the origin for the audit triggers, until the end of the transaction.
 */
const applyPrincipal = (principal: Principal, { requestId, origin }: ClientInfo): Statement =>
  sql`select auth.require_live_session(${principal.sessionId}, ${principal.userId}, ${principal.aal}),
          set_config('request.jwt.claims', ${principal.claims}, true),
          set_config('request.id', ${requestId}, true),
          set_config('request.origin', ${origin ?? ''}, true)`;

const readDenial = sql`select private.administrator_denial(auth.uid(), auth.jwt() ->> 'aal') as denial`;

/** The results of `private.administrator_denial`. */
const denialMessages = {
  not_platform_admin: 'This action requires an administrator.',
  role_ended: 'Your role as an administrator has ended. Another administrator can extend it.',
  second_factor_required:
    'Administrators need a second factor. Set one up, or sign in with yours, to continue.',
} as const;
const isDenial = (text: string): text is keyof typeof denialMessages => Object.hasOwn(denialMessages, text);

/**
 * @param denial null allows the request; a missing result rejects it
 * @throws DomainError not_platform_admin, role_ended, second_factor_required
 */
function rejectDenial(denial: string | null = 'not_platform_admin'): void {
  if (denial === null) return;
  const code = isDenial(denial) ? denial : 'not_platform_admin';
  throw new DomainError(code, denialMessages[code]);
}

async function readInput<Name extends FunctionName>(
  c: Context<AppEnv>,
  { input }: Pick<FunctionDefinition<Name>, 'input'>,
): Promise<ParsedInput<Name>> {
  const schema: z.ZodMiniType | null = input;
  const type = c.req.header('Content-Type');
  if (schema || type !== undefined) requireJson(type);
  if (!schema) return undefined as ParsedInput<Name>;
  const { data, error } = schema.safeParse(await readJsonBody(c));
  const [issue] = error?.issues ?? [];
  if (issue) throw new DomainError('validation_failed', toResponseMessage(issue));
  return data as ParsedInput<Name>;
}

/** Adds the name of the field to a message without it. A form shows the message next to its field, an API response does not. */
function toResponseMessage({ path, message }: z.core.$ZodIssue): string {
  const field = path.findLast((key) => typeof key === 'string');
  if (message !== controlCharactersMessage || field === undefined) return message;
  const words = field.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${message}`;
}

/** Rejects the media types that a page of another origin can send without a preflight. */
function requireJson(type = ''): void {
  if (type.split(';')[0]?.trim().toLowerCase() === 'application/json') return;
  throw new DomainError('unsupported_media_type', 'Send the request as application/json.');
}

async function readJsonBody(c: Context<AppEnv>): Promise<object> {
  let body: unknown;
  try {
    body = await c.req.json();
  } catch (cause) {
    throw new DomainError('bad_json', 'The request body is not valid JSON.', { cause });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new DomainError('bad_json', 'The request body must be a JSON object.');
  }
  return body;
}
