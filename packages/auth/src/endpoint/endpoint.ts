/**
 * Declares endpoints of the Auth API: the requirements for a request, and the handler that runs after they are met.
 */
import type { Context } from 'hono';
import type { Database } from '@lanternrock/postgres';
import type { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import type { AuthEnv, ClientInfo } from '../client-info.ts';
import { limitedClient, type RateLimitName } from '../http/rate-limits.ts';
import { readForm, readJson, RequestBody } from '../http/request-body.ts';
import {
  lockActiveSession,
  requireUser,
  requireServiceRole,
  requireSession,
  type SignedInUser,
  type PendingStep,
  type UserRequest,
} from './require-user.ts';
import type { SessionRecord } from '../sessions/sessions.ts';
import { requireFresh } from './step-up.ts';

/** A user with a session. */
export type UserWithSession = SignedInUser & { readonly session: SessionRecord };

/** Fields that each guard adds to a call. */
interface GuardFields {
  readonly anyone: object;
  /** A user, with or without a session. */
  readonly user: SignedInUser;
  readonly session: UserWithSession;
  /** The secret key, or a token of its role. */
  readonly service: object;
}
type Guard = keyof GuardFields;

/** Body of each kind. */
interface BodyTypes {
  readonly none: undefined;
  /** A JSON object. */
  readonly required: RequestBody;
  /** A JSON object, or an empty body. */
  readonly optional: RequestBody;
  /** `application/x-www-form-urlencoded`, as browsers post it. */
  readonly form: URLSearchParams;
}
type BodyKind = keyof BodyTypes;

interface Request {
  readonly c: Context<AuthEnv>;
  /** In signed-in calls, `database.transaction` starts with `lockActiveSession`. */
  readonly context: AuthContext;
  readonly client: ClientInfo;
}

export type Call<G extends Guard> = Request & GuardFields[G];

export interface EndpointSpec<G extends Guard = Guard, B extends BodyKind = BodyKind, Q = unknown> {
  readonly guard: G;
  /** Users who still have to set a password, or to verify a second factor, can call it too. */
  readonly allow?: readonly PendingStep[];
  /**
   * Requests per IP address or session. Required for every endpoint that writes a row or sends a message. A limit that
   * depends on the call is counted after the body and `freshFor`; the body is then read up to `maxCredentialBytes`.
   */
  readonly limit?: RateLimitName | ((body: BodyTypes[B], call: Call<G>) => RateLimitName);
  /** A condition that needs no body: a disabled feature, a missing right. */
  readonly check?: (call: Call<G>) => AuthError | null | Promise<AuthError | null>;
  /** Absent: the body is not read. */
  readonly body?: B;
  /** Requires a fresh session (step-up): always, or if the function returns true. Users only. */
  readonly fresh?: true | ((call: Call<G>) => boolean);
  /**
   * The same if the body decides: returns the change that requires a fresh session, or null. The limit must be a function, so
   * that a session that may not do the change cannot use it up.
   */
  readonly freshFor?: (call: Call<G>, body: BodyTypes[B]) => string | null;
  readonly query?: (c: Context<AuthEnv>) => Q;
  readonly captcha?: true;
}

export interface Endpoint {
  readonly spec: Pick<EndpointSpec, 'guard' | 'allow' | 'body'> & {
    readonly limit?: unknown;
    readonly fresh?: unknown;
    readonly freshFor?: unknown;
  };
  handle(c: Context<AuthEnv>, context: AuthContext): Promise<Response>;
}

const guards: {
  readonly [G in Guard]: (
    request: UserRequest,
    context: AuthContext,
    allow: readonly PendingStep[],
  ) => Promise<GuardFields[G]>;
} = {
  anyone: async () => ({}),
  user: requireUser,
  session: requireSession,
  service: async (request, context) => {
    await requireServiceRole(request, context);
    return {};
  },
};

const readers: {
  readonly [B in BodyKind]: (c: Context<AuthEnv>, maxBytes: number) => Promise<BodyTypes[B]>;
} = {
  none: async () => undefined,
  required: (c, maxBytes) => readJson(c, maxBytes),
  optional: (c, maxBytes) => readJson(c, maxBytes, { optional: true }),
  form: readForm,
};

/** Maximum size, in bytes, of a body that is read without authentication, or before a limit is counted. */
const maxCredentialBytes = 16_384;

/** @throws Error if a spec requires a fresh session without a user */
function requireSignedIn(call: object): SignedInUser {
  if ('user' in call) return call as SignedInUser;
  throw new Error('Only a user has a fresh session');
}

/** Returns the context for a signed-in call. Its transactions fail after the session is revoked. */
function createSignedInContext(context: AuthContext, signedInUser: SignedInUser): AuthContext {
  const transaction: Database['transaction'] = (work) =>
    context.database.transaction(async (tx) => {
      await lockActiveSession(tx, context, signedInUser);
      return work(tx);
    });
  return { ...context, database: { ...context.database, transaction } };
}

/**
 * Creates an endpoint. The order is fixed (guard, check, fresh, limit, body, query, captcha, handler), so no endpoint
 * reads a body before the client is authorized, and a session that may not do the change cannot use up its limit. For
 * clients without a session, the limit comes before the check; a limit that depends on the call comes after the body. Each
 * transaction of a signed-in call starts with `lockActiveSession`, so no endpoint changes anything for a session that was
 * revoked after the guard.
 *
 * The endpoint throws the AuthError of the first requirement, in this order, that the request does not meet.
 */
export function endpoint<G extends Guard, B extends BodyKind = 'none', Q = undefined>(
  spec: EndpointSpec<G, B, Q>,
  handler: (call: Call<G> & { readonly body: BodyTypes[B]; readonly query: Q }) => Promise<Response>,
): Endpoint {
  const kind = (spec.body ?? 'none') as B;
  return {
    spec,
    async handle(c, context) {
      const { config, limits, captcha } = context;
      const { client } = c.env;
      const guardFields = await guards[spec.guard](
        { headers: c.req.raw.headers, client },
        context,
        spec.allow ?? [],
      );
      const callContext =
        'user' in guardFields ? createSignedInContext(context, requireSignedIn(guardFields)) : context;
      const call: Call<G> = { c, context: callContext, client, ...guardFields };
      const isAnonymous = spec.guard === 'anyone';
      const counted = limitedClient(client, 'user' in guardFields ? requireSignedIn(guardFields) : null);
      const { limit } = spec;
      const check = async (): Promise<void> => {
        const error = await spec.check?.(call);
        if (error) throw error;
        if (spec.fresh === true || spec.fresh?.(call))
          await requireFresh(context, requireSignedIn(call), 'This change');
      };
      const isCounted = !isAnonymous && limit !== undefined;
      const countRejections = <Result>(work: () => Promise<Result>): Promise<Result> =>
        isCounted ? limits.limitRejections(counted, work) : work();
      const readBody = async (): Promise<BodyTypes[B]> => {
        const isEarly = isAnonymous || typeof limit === 'function';
        const read = await readers[kind](
          c,
          isEarly ? Math.min(maxCredentialBytes, config.BODY_LIMIT) : config.BODY_LIMIT,
        );
        const change = spec.freshFor?.(call, read);
        if (change && read instanceof RequestBody)
          await requireFresh(context, requireSignedIn(call), change, read);
        return read;
      };
      if (isAnonymous && typeof limit === 'string') await limits.consume(limit, counted);
      await countRejections(check);
      if (!isAnonymous && typeof limit === 'string') await limits.consume(limit, counted);
      const body = await (typeof limit === 'function' ? countRejections(readBody) : readBody());
      if (typeof limit === 'function') await limits.consume(limit(body, call), counted);
      const query = spec.query?.(c) as Q;
      if (spec.captcha && body instanceof RequestBody) await captcha.check(body, client.ip);
      return handler({ ...call, body, query });
    },
  };
}
