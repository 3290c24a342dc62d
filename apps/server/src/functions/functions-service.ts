/** The Functions API at `/functions/v1/{name}`. */
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { AppEnv } from '../http/context.ts';
import { DomainError } from '../errors.ts';
import { exportActivity, listActivity, listActivityPeople } from './activity-functions.ts';
import {
  administratorDetails,
  administrators,
  endAdministratorSessionsFunction,
  setAdministratorEndFunction,
} from './administrator-access-functions.ts';
import {
  accountMembers,
  addAccountMember,
  removeAccountMember,
  setAccountMember,
  undoAccountMember,
} from './account-member-functions.ts';
import {
  removeAdministratorFunction,
  resetAdministratorFactors,
  restoreAdministratorFunction,
  revokeUserInvitation,
} from './administrator-functions.ts';
import { accountDetails, setAccountStatusFunction } from './account-functions.ts';
import { importAccountsFunction } from './import-accounts.ts';
import { checkSenderDomain } from './check-sender-domain.ts';
import { requirePrincipal, type DefinedFunction, type FunctionServices } from './define-function.ts';
import { functionErrorResponse } from './error-response.ts';
import { createIdempotentCalls } from './idempotent-calls.ts';
import { exportAccounts } from './export-accounts.ts';
import {
  createInvitationLink,
  invitationHistory,
  setInvitationTerms,
  unsentInvitations,
} from './invitation-functions.ts';
import { confirmHandover, handover, handoverSheet } from './handover-functions.ts';
import { secondFactorDemand, setSecondFactorDemandFunction } from './second-factor-functions.ts';
import { inviteList, planInvitationList } from './invitation-list-functions.ts';
import { sendTestEmail } from './send-test-email.ts';
import { sendUserInvitation } from './send-user-invitation.ts';
import { waitForSessionEnd, type SessionWatch } from './session-watch.ts';
import { settingsAuthor } from './settings-author.ts';
import { similarAccounts } from './similar-accounts.ts';

/** All functions but `session-watch`. */
export const definedFunctions: readonly DefinedFunction[] = [
  listActivity,
  listActivityPeople,
  exportActivity,
  sendUserInvitation,
  sendTestEmail,
  checkSenderDomain,
  invitationHistory,
  unsentInvitations,
  createInvitationLink,
  setInvitationTerms,
  planInvitationList,
  inviteList,
  settingsAuthor,
  handover,
  confirmHandover,
  handoverSheet,
  revokeUserInvitation,
  removeAdministratorFunction,
  restoreAdministratorFunction,
  resetAdministratorFactors,
  accountDetails,
  setAccountStatusFunction,
  administrators,
  administratorDetails,
  setAdministratorEndFunction,
  endAdministratorSessionsFunction,
  secondFactorDemand,
  setSecondFactorDemandFunction,
  accountMembers,
  addAccountMember,
  setAccountMember,
  removeAccountMember,
  undoAccountMember,
  importAccountsFunction,
  similarAccounts,
  exportAccounts,
];

interface FunctionsOptions extends Omit<FunctionServices, 'idempotentCalls'> {
  readonly watch: SessionWatch;
  readonly log: Logger;
}

export function createFunctions(options: FunctionsOptions): Hono<AppEnv> {
  const { auth, watch, log } = options;
  const services = { ...options, idempotentCalls: createIdempotentCalls(options.database) };
  const functions = new Hono<AppEnv>();
  functions.onError((error, c) => functionErrorResponse(c, error, log));
  // GET, because the function has no side effects.
  functions.get('/session-watch', async (c) =>
    waitForSessionEnd(c, await requirePrincipal(c, auth.authenticate), watch),
  );
  for (const { name, handle } of definedFunctions) {
    functions.post(`/${name}`, (c) => handle(c, services));
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
