/** Functions about administrators and invited users: revoke, remove, restore, reset the second factor. */
import { administratorEmailSchema, type AdministratorResponse } from '@lanternrock/contract/invitations';
import { DomainError } from '../errors.ts';
import { removeAdministrator, restoreAdministrator } from '../invitations/administrators.ts';
import { resetFactors } from '../invitations/reset-factors.ts';
import { defineFunction } from './define-function.ts';
import { functionLimits } from './function-limits.ts';

const success: AdministratorResponse = { success: true };

export const revokeUserInvitation = defineFunction({
  name: 'revoke-user-invitation',
  limit: functionLimits.invitations,
  input: administratorEmailSchema,
  work: async ({ input: { email }, authorize, invitations }) => {
    if (await invitations.revoke({ email, authorize })) return success;
    throw new DomainError('no_open_invitation', `There is no open invitation for ${email}.`);
  },
});

export const removeAdministratorFunction = defineFunction({
  name: 'remove-administrator',
  limit: functionLimits.administrators,
  input: administratorEmailSchema,
  fresh: 'Removing an administrator',
  work: async ({ input, authorize, database }) => {
    await removeAdministrator(database, { ...input, authorize });
    return success;
  },
});

export const restoreAdministratorFunction = defineFunction({
  name: 'restore-administrator',
  limit: functionLimits.administrators,
  input: administratorEmailSchema,
  fresh: 'Restoring an administrator',
  work: async ({ input, authorize, database }) => {
    const endedAt = await restoreAdministrator(database, { ...input, authorize });
    return endedAt ? { ...success, role_ended_at: endedAt.toISOString() } : success;
  },
});

export const resetAdministratorFactors = defineFunction({
  name: 'reset-administrator-factors',
  limit: functionLimits.administrators,
  input: administratorEmailSchema,
  fresh: 'Removing a second factor',
  work: async (call) => {
    const { input, principal, authorize, client } = call;
    await resetFactors(call, { email: input.email, actorId: principal.userId, authorize, client });
    return success;
  },
});
