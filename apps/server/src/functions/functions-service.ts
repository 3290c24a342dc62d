/** Routes `POST /functions/v1/{name}` to the functions, and serves `session-watch`. */
import type { FunctionName } from '@lanternrock/contract/functions';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import type { AppEnv } from '../http/context.ts';
import { DomainError } from '../errors.ts';
import {
  exportActivity,
  listActivity,
  listActivityPeople,
  undoChangeFunction,
} from './activity-functions.ts';
import {
  administratorDetails,
  administrators,
  endAdministratorSessionsFunction,
  setAdministratorEndFunction,
  removeAdministratorFunction,
  resetAdministratorFactors,
  restoreAdministratorFunction,
  secondFactorRequirement,
  setSecondFactorRequirementFunction,
  setupStepsFunction,
} from './administrator-functions.ts';
import {
  accountMembers,
  addAccountMember,
  removeAccountMember,
  setAccountMember,
  undoAccountMember,
} from './account-member-functions.ts';
import {
  accountContacts,
  exportContacts,
  importContactsFunction,
  ownPhone,
  setAccountContactsFunction,
  setOwnPhoneFunction,
} from './account-contact-functions.ts';
import {
  accountDetails,
  setAccountStatusFunction,
  importAccountsFunction,
  exportAccounts,
  recentImports,
  similarAccounts,
  undoImportFunction,
} from './account-functions.ts';
import { checkSenderDomain, sendTestEmail, settingsAuthor } from './email-settings-functions.ts';
import { requirePrincipal, type DefinedFunction, type FunctionServices } from './define-function.ts';
import { toFunctionErrorResponse } from './error-response.ts';
import { createIdempotentCalls } from './idempotent-calls.ts';
import {
  createInvitationLink,
  invitationHistory,
  revokeUserInvitation,
  setInvitationTerms,
  unsentInvitations,
  sendUserInvitation,
} from './invitation-functions.ts';
import { confirmHandover, handover, handoverSheet, sheetAccounts } from './handover-functions.ts';
import { inviteList, planInvitations } from './invitation-list-functions.ts';
import {
  accountMemberInvitations,
  createAccountMemberInvitationLink,
  inviteAccountMember,
  resendAccountMemberInvitation,
  revokeAccountMemberInvitation,
} from './member-invitation-functions.ts';
import { waitForSessionEnd, type SessionWatch } from './session-watch.ts';

/** The handlers. */
export const definedFunctions: { readonly [Name in FunctionName]: DefinedFunction<Name> } = {
  'account-contacts': accountContacts,
  'account-details': accountDetails,
  'account-member-invitations': accountMemberInvitations,
  'account-members': accountMembers,
  'add-account-member': addAccountMember,
  'administrator-details': administratorDetails,
  administrators,
  'check-sender-domain': checkSenderDomain,
  'confirm-handover': confirmHandover,
  'create-account-member-invitation-link': createAccountMemberInvitationLink,
  'create-invitation-link': createInvitationLink,
  'end-administrator-sessions': endAdministratorSessionsFunction,
  'export-accounts': exportAccounts,
  'export-activity': exportActivity,
  'export-contacts': exportContacts,
  handover,
  'handover-sheet': handoverSheet,
  'import-accounts': importAccountsFunction,
  'import-contacts': importContactsFunction,
  'invitation-history': invitationHistory,
  'invite-account-member': inviteAccountMember,
  'invite-list': inviteList,
  'list-activity': listActivity,
  'list-activity-people': listActivityPeople,
  'notification-settings-author': settingsAuthor,
  'own-phone': ownPhone,
  'plan-invitations': planInvitations,
  'recent-imports': recentImports,
  'remove-account-member': removeAccountMember,
  'remove-administrator': removeAdministratorFunction,
  'resend-account-member-invitation': resendAccountMemberInvitation,
  'reset-administrator-factors': resetAdministratorFactors,
  'restore-administrator': restoreAdministratorFunction,
  'revoke-account-member-invitation': revokeAccountMemberInvitation,
  'revoke-user-invitation': revokeUserInvitation,
  'second-factor-requirement': secondFactorRequirement,
  'send-test-mail': sendTestEmail,
  'send-user-invitation': sendUserInvitation,
  'set-account-contacts': setAccountContactsFunction,
  'set-account-member': setAccountMember,
  'set-account-status': setAccountStatusFunction,
  'set-administrator-end': setAdministratorEndFunction,
  'set-invitation-terms': setInvitationTerms,
  'set-own-phone': setOwnPhoneFunction,
  'set-second-factor-requirement': setSecondFactorRequirementFunction,
  'setup-steps': setupStepsFunction,
  'sheet-accounts': sheetAccounts,
  'similar-accounts': similarAccounts,
  'undo-account-member': undoAccountMember,
  'undo-change': undoChangeFunction,
  'undo-import': undoImportFunction,
  'unsent-invitations': unsentInvitations,
};

interface FunctionsOptions extends Omit<FunctionServices, 'idempotentCalls'> {
  readonly watch: SessionWatch;
  readonly log: Logger;
}

export function createFunctions(options: FunctionsOptions): Hono<AppEnv> {
  const { auth, watch, log } = options;
  const services = { ...options, idempotentCalls: createIdempotentCalls(options.database) };
  const functions = new Hono<AppEnv>();
  functions.onError((error, c) => toFunctionErrorResponse(c, error, log));
  // GET, because the function has no side effects.
  functions.get('/session-watch', async (c) =>
    waitForSessionEnd(c, await requirePrincipal(c, auth.authenticate), watch),
  );
  for (const { name, handle } of Object.values(definedFunctions)) {
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
