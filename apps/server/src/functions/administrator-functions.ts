/** Functions about administrators: list, end of the role, remove, restore, second factors. */
import {
  administratorEndSchema,
  administratorIdSchema,
  administratorSessionsSchema,
  secondFactorRequirementSchema,
} from '@lanternrock/contract/administrators';
import { administratorEmailSchema, type AdministratorResponse } from '@lanternrock/contract/invitations';
import {
  endAdministratorSessions,
  listAdministrators,
  readAdministrator,
  setAdministratorEnd,
} from '../administrators/administrator-access.ts';
import type { NoticeSender } from '../administrators/administrator-notices.ts';
import { removeAdministrator, restoreAdministrator } from '../administrators/administrators.ts';
import { resetFactors } from '../administrators/reset-factors.ts';
import {
  readSecondFactorRequirement,
  setSecondFactorRequirement,
} from '../administrators/second-factor-requirement.ts';
import { readSetupSteps } from '../administrators/setup-steps.ts';
import { defineFunction } from './define-function.ts';
import { functionLimits } from './function-limits.ts';

const success: AdministratorResponse = { success: true };

interface Call extends Pick<NoticeSender, 'outbox' | 'client' | 'now'> {
  readonly principal: { readonly userId: string | null };
}

const toNoticeSender = ({ outbox, client, now, principal }: Call): NoticeSender => ({
  outbox,
  client,
  now,
  actorId: principal.userId,
});

export const removeAdministratorFunction = defineFunction({
  name: 'remove-administrator',
  limit: functionLimits.administrators,
  input: administratorEmailSchema,
  fresh: 'Removing an administrator',
  work: async (call) => {
    const { input, authorize, database } = call;
    await removeAdministrator(database, { ...input, authorize, notices: toNoticeSender(call) });
    return success;
  },
});

export const restoreAdministratorFunction = defineFunction({
  name: 'restore-administrator',
  limit: functionLimits.administrators,
  input: administratorEmailSchema,
  fresh: 'Restoring an administrator',
  work: async (call) => {
    const { input, authorize, database } = call;
    const notices = toNoticeSender(call);
    const endedAt = await restoreAdministrator(database, { ...input, authorize, notices });
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

export const administrators = defineFunction({
  name: 'administrators',
  input: null,
  noStore: true,
  work: async ({ config, transaction }) => ({
    administrators: await transaction((tx) => listAdministrators(tx, config)),
  }),
});

export const administratorDetails = defineFunction({
  name: 'administrator-details',
  input: administratorIdSchema,
  noStore: true,
  work: ({ config, input, principal, transaction }) =>
    transaction((tx) => readAdministrator(tx, input.user_id, { config, caller: principal })),
});

export const setAdministratorEndFunction = defineFunction({
  name: 'set-administrator-end',
  limit: functionLimits.administrators,
  input: administratorEndSchema,
  fresh: 'Changing the end of a role',
  work: async (call) => {
    const { input, database, authorize, now } = call;
    const endsAt = input.ends_at === null ? null : new Date(input.ends_at);
    const notices = toNoticeSender(call);
    await setAdministratorEnd(database, { userId: input.user_id, endsAt, now, authorize, notices });
    return { success: true };
  },
});

export const endAdministratorSessionsFunction = defineFunction({
  name: 'end-administrator-sessions',
  limit: functionLimits.administrators,
  input: administratorSessionsSchema,
  fresh: 'Ending sessions of an administrator',
  work: async ({ input, principal, transaction }) => {
    const { user_id: userId, session_id: sessionId } = input;
    const keepId = userId === principal.userId ? principal.sessionId : null;
    return { ended: await transaction((tx) => endAdministratorSessions(tx, { userId, sessionId, keepId })) };
  },
});

/** For every signed-in user: an administrator without a second factor or a passkey has no rights while one is required. */
export const secondFactorRequirement = defineFunction({
  name: 'second-factor-requirement',
  input: null,
  requires: 'session',
  noStore: true,
  work: ({ config, transaction }) => transaction((tx) => readSecondFactorRequirement(tx, config)),
});

export const setSecondFactorRequirementFunction = defineFunction({
  name: 'set-second-factor-requirement',
  limit: functionLimits.administrators,
  input: secondFactorRequirementSchema,
  fresh: 'Changing the second-factor requirement',
  work: async (call) => {
    const { config, input, database, authorize, transaction } = call;
    await setSecondFactorRequirement(database, {
      graceDays: input.required ? input.grace_days : null,
      authorize,
      notices: toNoticeSender(call),
    });
    return transaction((tx) => readSecondFactorRequirement(tx, config));
  },
});

/** For the checklist of a new instance. */
export const setupStepsFunction = defineFunction({
  name: 'setup-steps',
  input: null,
  noStore: true,
  work: ({ config, transaction }) => transaction((tx) => readSetupSteps(tx, config)),
});
