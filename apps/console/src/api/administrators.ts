/** Query of all administrators, for the Admins screen and the command palette. */
import type { Administrator, AdministratorsResponse } from '@lanternrock/contract/administrators';
import { queryOptions } from '@tanstack/react-query';
import { enabledIf } from './enabled-if.ts';
import { ApiError, unreadableMessage } from './errors.ts';
import { callFunction } from './functions.ts';
import { hasFeature } from './runtime-config.ts';

/** Key prefix of the queries about administrators. */
export const administratorsKey = ['administrators'] as const;

export const administratorsQuery = queryOptions({
  queryKey: administratorsKey,
  ...enabledIf(hasFeature('administrator-access')),
  queryFn: async (): Promise<readonly Administrator[]> => {
    const { administrators } = await callFunction<AdministratorsResponse>('administrators', {});
    if (Array.isArray(administrators)) return administrators;
    throw new ApiError({ kind: 'shape', message: unreadableMessage });
  },
});
