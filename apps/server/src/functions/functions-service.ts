/** The functions of the platform under /functions/v1/{name}; the caller is verified before any of them runs. */
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
  /** What functions use of the Auth API. */
  readonly auth: FactorActions & { readonly authenticate: Authenticate };
  readonly invitations: Invitations;
  readonly outbox: Outbox;
  readonly watch: SessionWatch;
  readonly log: Logger;
  readonly now: () => Date;
}

/** A name and an address; anything larger is no honest call. Bytes. */
const largestBody = 16_384;

type Handler = (c: Context<AppEnv>, identity: Principal, arrivedAt: Date) => Promise<Response>;

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
    bodySizeLimit(largestBody, (c) =>
      functionErrorResponse(
        c,
        new ApiError(413, 'request_entity_too_large', 'The request body is too large.'),
        log,
      ),
    ),
  );
  const handlers: Readonly<Record<string, Handler>> = {
    'send-user-invitation': (c, identity, arrivedAt) =>
      sendUserInvitation(c, invitations, { identity, arrivedAt }),
    'send-test-mail': (c, identity) => sendTestEmail(c, identity, { config, database, outbox, now }),
    'check-sender-domain': (c, identity) => checkSenderDomain(c, identity, { config, database, now }),
    'invitation-history': (c, identity) => getInvitationHistory(c, identity, { config, database, now }),
    'unsent-invitations': (c, identity) => unsentInvitations(c, identity, { config, database, now }),
    'create-invitation-link': (c, identity) => createInvitationLink(c, identity, invitations),
    'notification-settings-author': (c, identity) => getSettingsAuthor(c, identity, database),
    ...administratorFunctions(database, invitations, auth),
  };
  // Nothing happens by it, so it is read as a page is read.
  functions.get('/session-watch', async (c) => {
    const identity = await verified(c, authenticate);
    return identity instanceof Response ? identity : waitForSessionEnd(c, identity, watch);
  });
  for (const [name, handle] of Object.entries(handlers)) {
    functions.post(`/${name}`, async (c) => {
      const arrivedAt = now();
      const identity = await verified(c, authenticate);
      if (identity instanceof Response) return identity;
      // Every function is for platform administrators; other clients are rejected before their body is read.
      await checkPlatformAdmin(database, identity, c.get('requestId'));
      return handle(c, identity, arrivedAt);
    });
    functions.all(`/${name}`, (c) => functionErrorResponse(c, notPost(), log));
  }
  functions.all('*', (c) =>
    functionErrorResponse(c, new ApiError(404, 'not_found', 'There is no function of this name.'), log),
  );
  return functions;
}

/**
 * Signature and kind of the caller's token. The published client tells a call that never reached the
 * function (header `x-relay-error`) from one that the function itself refused.
 */
async function verified(c: Context<AppEnv>, authenticate: Authenticate): Promise<Principal | Response> {
  let identity: Principal;
  try {
    identity = await authenticate(c.get('headers') ?? c.req.raw.headers);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return c.json({ error: notSignedIn, code: 'not_authenticated' }, 401, { 'x-relay-error': 'true' });
  }
  if (identity.role === 'anon') throw new ApiError(401, 'not_authenticated', notSignedIn);
  return identity;
}

const notSignedIn = 'Sign in first: the request carries no valid access token.';
