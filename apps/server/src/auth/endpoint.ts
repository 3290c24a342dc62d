/**
 * Declares an endpoint of the Auth API: the requirements for a request, and the handler that runs after they are met.
 * The order is fixed (guard, limit, on, fresh, body, query, captcha, handler), so no endpoint reads a body before the
 * client is authorized. Each transaction of a signed-in call starts with `lockLiveSession`, so no endpoint changes
 * anything for a session that was revoked after the guard.
 */
import type { Context } from 'hono';
import type { Database } from '@lanternrock/postgres';
import type { AppEnv } from '../http/context.ts';
import type { ApiError } from '../errors.ts';
import { clientInfo, type AuthContext, type ClientInfo } from './auth-context.ts';
import type { AddressLimit } from './rate-limits.ts';
import { readForm, readJson, RequestBody } from './request-body.ts';
import {
  lockLiveSession,
  requireUser,
  requireServiceRole,
  requireSession,
  type SignedInUser,
  type Unfinished,
} from './sessions/require-user.ts';
import type { SessionRecord } from './sessions/sessions.ts';
import { requireFresh } from './step-up.ts';

/** A user with a session. */
export type SignedIn = SignedInUser & { readonly session: SessionRecord };

/** Fields that each guard adds to a call. */
interface Guarded {
  readonly anyone: object;
  /** A user, with or without a session. */
  readonly user: SignedInUser;
  readonly session: SignedIn;
  /** The secret key, or a token of its role. */
  readonly service: object;
}
type Guard = keyof Guarded;

/** Body of each kind. */
interface Bodies {
  readonly none: undefined;
  /** A JSON object. */
  readonly required: RequestBody;
  /** A JSON object, or an empty body. */
  readonly optional: RequestBody;
  /** `application/x-www-form-urlencoded`, as browsers post it. */
  readonly form: URLSearchParams;
}
type BodyKind = keyof Bodies;

interface Request {
  readonly c: Context<AppEnv>;
  /** In signed-in calls, `database.transaction` starts with `lockLiveSession`. */
  readonly context: AuthContext;
  readonly caller: ClientInfo;
}

export type Call<G extends Guard> = Request & Guarded[G];

export interface EndpointSpec<G extends Guard = Guard, B extends BodyKind = BodyKind, Q = unknown> {
  readonly guard: G;
  /** Users who still have to set a password, or to verify a second factor, can call it too. */
  readonly allow?: readonly Unfinished[];
  /** Requests per IP address. A limit that depends on the body is counted after the body is read. */
  readonly limit?: AddressLimit | ((body: Bodies[B]) => AddressLimit);
  /** A condition that needs no body: a disabled feature, a missing right. */
  readonly on?: (call: Call<G>) => ApiError | null;
  /** Absent: the body is not read. */
  readonly body?: B;
  /** Requires a fresh session (step-up): always, or if the function returns true. Users only. */
  readonly fresh?: true | ((call: Call<G>) => boolean);
  /** The same if the body decides: returns the change that requires a fresh session, or null. */
  readonly freshFor?: (call: Call<G>, body: Bodies[B]) => string | null;
  readonly query?: (c: Context<AppEnv>) => Q;
  readonly captcha?: true;
}

export interface Endpoint {
  readonly spec: Pick<EndpointSpec, 'guard' | 'allow' | 'body'> & {
    readonly fresh?: unknown;
    readonly freshFor?: unknown;
  };
  handle(c: Context<AppEnv>, context: AuthContext): Promise<Response>;
}

const guards: {
  readonly [G in Guard]: (
    c: Context<AppEnv>,
    context: AuthContext,
    allow: readonly Unfinished[],
  ) => Promise<Guarded[G]>;
} = {
  anyone: async () => ({}),
  user: requireUser,
  session: requireSession,
  service: async (c, context) => {
    await requireServiceRole(c, context);
    return {};
  },
};

const readers: {
  readonly [B in BodyKind]: (c: Context<AppEnv>, maxBytes: number) => Promise<Bodies[B]>;
} = {
  none: async () => undefined,
  required: (c, maxBytes) => readJson(c, maxBytes),
  optional: (c, maxBytes) => readJson(c, maxBytes, { optional: true }),
  form: readForm,
};

/** Maximum body size, in bytes, for endpoints without authentication. */
const maxCredentialBytes = 16_384;

/** @throws Error if a spec requires a fresh session without a user */
function personOf(call: object): SignedInUser {
  if ('user' in call) return call as SignedInUser;
  throw new Error('Only a user has a fresh session');
}

/** Returns the context for a signed-in call. Its transactions fail after the session is revoked. */
function contextOf(context: AuthContext, person: SignedInUser): AuthContext {
  const transaction: Database['transaction'] = (work) =>
    context.database.transaction(async (tx) => {
      await lockLiveSession(tx, context, person);
      return work(tx);
    });
  return { ...context, database: { ...context.database, transaction } };
}

/** @throws ApiError of the first requirement, in the fixed order, that the request does not meet */
export function endpoint<G extends Guard, B extends BodyKind = 'none', Q = undefined>(
  spec: EndpointSpec<G, B, Q>,
  handler: (call: Call<G> & { readonly body: Bodies[B]; readonly query: Q }) => Promise<Response>,
): Endpoint {
  const kind = (spec.body ?? 'none') as B;
  return {
    spec,
    async handle(c, context) {
      const { config, limits, captcha } = context;
      const caller = clientInfo(c);
      const guarded = await guards[spec.guard](c, context, spec.allow ?? []);
      const signedIn = 'user' in guarded ? contextOf(context, personOf(guarded)) : context;
      const call: Call<G> = { c, context: signedIn, caller, ...guarded };
      if (typeof spec.limit === 'string') await limits.consume(spec.limit, caller.ip);
      const refusal = spec.on?.(call);
      if (refusal) throw refusal;
      if (spec.fresh === true || spec.fresh?.(call))
        await requireFresh(context, personOf(call), 'This change');
      const open = spec.guard === 'anyone';
      const body = await readers[kind](
        c,
        open ? Math.min(maxCredentialBytes, config.BODY_LIMIT) : config.BODY_LIMIT,
      );
      if (typeof spec.limit === 'function') await limits.consume(spec.limit(body), caller.ip);
      const change = spec.freshFor?.(call, body);
      if (change && body instanceof RequestBody) await requireFresh(context, personOf(call), change, body);
      const query = spec.query?.(c) as Q;
      if (spec.captcha && body instanceof RequestBody) await captcha.check(body, caller.ip);
      return handler({ ...call, body, query });
    },
  };
}
