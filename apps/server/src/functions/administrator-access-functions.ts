/** Functions about the access of administrators: list, details, end of the role, sessions. */
import {
  administratorEndSchema,
  administratorIdSchema,
  administratorSessionsSchema,
} from '@lanternrock/contract/administrators';
import {
  endAdministratorSessions,
  listAdministrators,
  readAdministrator,
  setAdministratorEnd,
} from '../invitations/administrator-access.ts';
import { defineFunction } from './define-function.ts';
import { functionLimits } from './function-limits.ts';

export const administrators = defineFunction({
  name: 'administrators',
  input: null,
  noStore: true,
  work: async ({ transaction }) => ({
    administrators: await transaction(listAdministrators),
  }),
});

export const administratorDetails = defineFunction({
  name: 'administrator-details',
  input: administratorIdSchema,
  noStore: true,
  work: ({ input, principal, transaction }) =>
    transaction((tx) => readAdministrator(tx, input.user_id, principal)),
});

export const setAdministratorEndFunction = defineFunction({
  name: 'set-administrator-end',
  limit: functionLimits.administrators,
  input: administratorEndSchema,
  fresh: 'Changing the end of a role',
  work: async ({ input, database, authorize, now }) => {
    const endsAt = input.ends_at === null ? null : new Date(input.ends_at);
    await setAdministratorEnd(database, { userId: input.user_id, endsAt, now, authorize });
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
