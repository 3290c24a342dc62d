/** The Functions API at `/functions/v1/{name}`. */
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { AppEnv } from '../http/context.ts';
import { DomainError } from '../errors.ts';
import { bodySizeLimit } from '../http/body-limit.ts';
import {
  removeAdministratorFunction,
  resetAdministratorFactors,
  restoreAdministratorFunction,
  revokeUserInvitation,
} from './administrator-functions.ts';
import { checkSenderDomain } from './check-sender-domain.ts';
import { requirePrincipal, type FunctionServices } from './define-function.ts';
import { functionErrorResponse } from './error-response.ts';
import { createInvitationLink, invitationHistory, unsentInvitations } from './invitation-functions.ts';
import { sendTestEmail } from './send-test-email.ts';
import { sendUserInvitation } from './send-user-invitation.ts';
import { waitForSessionEnd, type SessionWatch } from './session-watch.ts';
import { settingsAuthor } from './settings-author.ts';

const definedFunctions = [
  sendUserInvitation,
  sendTestEmail,
  checkSenderDomain,
  invitationHistory,
  unsentInvitations,
  createInvitationLink,
  settingsAuthor,
  revokeUserInvitation,
  removeAdministratorFunction,
  restoreAdministratorFunction,
  resetAdministratorFactors,
];

interface FunctionsOptions extends FunctionServices {
  readonly watch: SessionWatch;
  readonly log: Logger;
}

/** Maximum size of a request body in bytes. Bodies contain only names and email addresses. */
const maxBodyBytes = 16_384;

export function createFunctions(options: FunctionsOptions): Hono<AppEnv> {
  const { auth, watch, log } = options;
  const functions = new Hono<AppEnv>();
  functions.onError((error, c) => functionErrorResponse(c, error, log));
  const tooLarge = new DomainError('request_entity_too_large', 'The request body is too large.');
  functions.use(bodySizeLimit(maxBodyBytes, (c) => functionErrorResponse(c, tooLarge, log)));
  // GET, because the function has no side effects.
  functions.get('/session-watch', async (c) =>
    waitForSessionEnd(c, await requirePrincipal(c, auth.authenticate), watch),
  );
  for (const { name, handle } of definedFunctions) {
    functions.post(`/${name}`, (c) => handle(c, options));
    functions.all(`/${name}`, (c) => {
      c.header('Allow', 'POST, OPTIONS');
      throw new DomainError('method_not_allowed', 'Call this function with POST.');
    });
  }
  functions.all('*', () => {
    throw new DomainError('not_found', 'Function not found.');
  });
  return functions;
}
