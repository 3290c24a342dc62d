/** The Functions API at `/functions/v1/{name}`. The client is authenticated before a function runs. */
import { Hono, type Context } from 'hono';
import type { Logger } from 'pino';
import type { Database } from '@lanternrock/postgres';
import type { AppEnv } from '../http/context.ts';
import type { Config } from '../config/settings.ts';
import { ApiError } from '../errors.ts';
import type { Authenticate, Principal } from '../principal.ts';
import type { Invitations } from '../invitations/invitations.ts';
import type { Outbox } from '../mail/outbox.ts';
import { bodySizeLimit } from '../http/body-limit.ts';
import { administratorFunctions, type FactorActions } from './administrator-functions.ts';
import { functionErrorResponse } from './function-errors.ts';
import { checkSenderDomain } from './check-sender-domain.ts';
import { createInvitationLink, getInvitationHistory, unsentInvitations } from './invitation-functions.ts';
import { checkPlatformAdmin } from './platform-admin.ts';
import { sendTestEmail } from './send-test-email.ts';
import { sendUserInvitation } from './send-user-invitation.ts';
import { waitForSessionEnd, type SessionWatch } from './session-watch.ts';
import { getSettingsAuthor } from './settings-author.ts';

export interface FunctionsOptions {
  readonly config: Config;
  readonly database: Database;
  /** The subset of the Auth API that functions use. */
  readonly auth: FactorActions & { readonly authenticate: Authenticate };
  readonly invitations: Invitations;
  readonly outbox: Outbox;
  readonly watch: SessionWatch;
  readonly log: Logger;
  readonly now: () => Date;
}

/** Maximum size of a request body in bytes. Bodies contain only names and email addresses. */
const maxBodyBytes = 16_384;

type Handler = (c: Context<AppEnv>, principal: Principal, arrivedAt: Date) => Promise<Response>;

const notPost = (): ApiError =>
  new ApiError(405, 'method_not_allowed', 'Call this function with POST.', {
    headers: { Allow: 'POST, OPTIONS' },
  });

export function createFunctions(options: FunctionsOptions): Hono<AppEnv> {
  const { config, database, auth, invitations, outbox, watch, log, now } = options;
  const { authenticate } = auth;
  const functions = new Hono<AppEnv>();
  functions.onError((error, c) => functionErrorResponse(c, error, log));
  functions.use(
    bodySizeLimit(maxBodyBytes, (c) =>
      functionErrorResponse(
        c,
        new ApiError(413, 'request_entity_too_large', 'The request body is too large.'),
        log,
      ),
    ),
  );
  const handlers: Readonly<Record<string, Handler>> = {
    'send-user-invitation': (c, principal, arrivedAt) =>
      sendUserInvitation(c, invitations, { principal, arrivedAt }),
    'send-test-mail': (c, principal) => sendTestEmail(c, principal, { config, database, outbox, now }),
    'check-sender-domain': (c, principal) => checkSenderDomain(c, principal, { config, database, now }),
    'invitation-history': (c, principal) => getInvitationHistory(c, principal, { config, database, now }),
    'unsent-invitations': (c, principal) => unsentInvitations(c, principal, { config, database, now }),
    'create-invitation-link': (c, principal) => createInvitationLink(c, principal, invitations),
    'notification-settings-author': (c, principal) => getSettingsAuthor(c, principal, database),
    ...administratorFunctions(database, invitations, auth),
  };
  // GET, because the function has no side effects.
  functions.get('/session-watch', async (c) => {
    const principal = await requirePrincipal(c, authenticate);
    return principal instanceof Response ? principal : waitForSessionEnd(c, principal, watch);
  });
  for (const [name, handle] of Object.entries(handlers)) {
    functions.post(`/${name}`, async (c) => {
      const arrivedAt = now();
      const principal = await requirePrincipal(c, authenticate);
      if (principal instanceof Response) return principal;
      // All functions require an administrator. Other clients are rejected before the body is read.
      await checkPlatformAdmin(database, principal, c.get('requestId'));
      return handle(c, principal, arrivedAt);
    });
    functions.all(`/${name}`, (c) => functionErrorResponse(c, notPost(), log));
  }
  functions.all('*', (c) =>
    functionErrorResponse(c, new ApiError(404, 'not_found', 'Function not found.'), log),
  );
  return functions;
}

/**
 * Verifies the token of the request. An invalid token is reported with the header `x-relay-error`, by which the
 * Supabase client distinguishes a request that did not reach the function.
 *
 * @returns the principal, or the 401 response
 * @throws ApiError 401 not_authenticated
 */
async function requirePrincipal(
  c: Context<AppEnv>,
  authenticate: Authenticate,
): Promise<Principal | Response> {
  const principal = await authenticate(c.get('headers') ?? c.req.raw.headers);
  if ('rejected' in principal)
    return c.json({ error: notSignedIn, code: 'not_authenticated' }, 401, { 'x-relay-error': 'true' });
  if (principal.role === 'anon') throw new ApiError(401, 'not_authenticated', notSignedIn);
  return principal;
}

const notSignedIn = 'Sign in first: the request has no valid access token.';
