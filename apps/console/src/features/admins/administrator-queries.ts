/** Queries and requests about the access of an administrator. */
import type {
  Administrator,
  AdministratorSession,
  EndedSessionsResponse,
  SecondFactorRequirement,
} from '@lanternrock/contract/administrators';
import type { FunctionInput } from '@lanternrock/contract/functions';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { shapeError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { withReauthentication } from '../../session/with-reauthentication.ts';
import { panelIntervalMs } from '../../shared/panel-interval.ts';
import { invitationsQuery } from './admins-queries.ts';
import { administratorText } from './administrator-text.ts';

const text = administratorText.sessions;

const administratorsKey = ['administrators'] as const;

/** All administrators, also for the command palette. */
export const administratorsQuery = queryOptions({
  queryKey: administratorsKey,
  ...enabledIf(hasFeature('extensions')),
  queryFn: async (): Promise<readonly Administrator[]> => {
    const { administrators } = await callFunction('administrators', {});
    if (Array.isArray(administrators)) return administrators;
    throw shapeError();
  },
});

/** The key starts with the key of the list, so that both are invalidated together. */
export const administratorDetailsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...administratorsKey, userId],
    queryFn: async () => {
      const details = await callFunction('administrator-details', { user_id: userId });
      if (Array.isArray(details.sessions)) return details;
      throw shapeError();
    },
    refetchInterval: panelIntervalMs,
  });

/** Sends the end of a role; requests a reauthentication if the service requires it. */
export const sendRoleEnd = (userId: string, endsAt: string | null, signal: AbortSignal): Promise<unknown> =>
  withReauthentication(
    () => callFunction('set-administrator-end', { user_id: userId, ends_at: endsAt }, { signal }),
    signal,
  );

/** Sends the requirement of a second factor; requests a reauthentication if the service requires it. */
export const sendRequirement = (
  requirement: FunctionInput<'set-second-factor-requirement'>,
  signal: AbortSignal,
): Promise<SecondFactorRequirement> =>
  withReauthentication(() => callFunction('set-second-factor-requirement', requirement, { signal }), signal);

/** Returns a function that reads administrators and invitations again, also after an error. */
export const useRefreshAdministrators = (): (() => Promise<unknown>) => {
  const client = useQueryClient();
  return useCallback(async () => {
    await client.invalidateQueries({ queryKey: administratorsKey, refetchType: 'none' });
    await Promise.all([
      client.refetchQueries({ queryKey: administratorsKey, exact: true, type: 'active' }),
      client.invalidateQueries({ queryKey: invitationsQuery.queryKey }),
    ]);
    // After the list, because the service has no details of a removed administrator.
    const ids = client.getQueryData(administratorsQuery.queryKey)?.map((each) => each.user_id) ?? [];
    const isListed = ({ queryKey }: { queryKey: readonly unknown[] }) => ids.includes(String(queryKey[1]));
    await client.refetchQueries({ queryKey: administratorsKey, type: 'active', predicate: isListed });
  }, [client]);
};

/** Ends one session, or all with null. A toast reports the result. */
export const useEndSessions = (userId: string) => {
  const refresh = useRefreshAdministrators();
  return useSubmit<AdministratorSession | null, EndedSessionsResponse>({
    action: 'end-administrator-sessions',
    send: (session, signal) =>
      withReauthentication(() => {
        const body = { user_id: userId, session_id: session?.id ?? null };
        return callFunction('end-administrator-sessions', body, { signal });
      }, signal),
    repeatable: true,
    done: ({ ended }) => ({ title: text.done, description: text.doneDescription(ended) }),
    failed: text.failed,
    onSettled: refresh,
  });
};
