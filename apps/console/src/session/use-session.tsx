/** React hooks for the session, the user's profile, role and memberships. */
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { User } from '../api/auth.ts';
import { data } from '../api/data.ts';
import { enabledIf } from '../api/runtime-config.ts';
import { errorMessage } from '../api/errors.ts';
import { getSessionState, type SessionState, subscribeToSession } from './session-store.ts';

/** Returns the session state of the document. */
export const useSession = (): SessionState => useSyncExternalStore(subscribeToSession, getSessionState);

/**
 * Returns the signed-in user, or null. After an ended session, returns the previous user: a page with unsaved
 * input must not change behind the sign-in dialog.
 */
export const useUser = (): User | null => {
  const session = useSession();
  if (session.status === 'signed-in') return session.session.user;
  return session.status === 'signed-out' ? session.last : null;
};

/** Query key prefix of the profile. */
export const profileKey = ['profile'] as const;

// `accounts-screen-reads.ts` states the requests of these queries as well.

/** Reads the user's row of `profiles`. An error is only logged, because the name falls back to the email. */
const profileQuery = (userId: string) =>
  queryOptions({
    queryKey: [...profileKey, userId],
    staleTime: 5 * 60_000,
    retry: false,
    queryFn: async ({ signal }) => {
      try {
        const call = data.from('profiles').select('*').eq('id', userId).abortSignal(signal);
        return (await call.single().throwOnError()).data;
      } catch (error) {
        if (!signal.aborted) console.error('The profile could not be loaded:', errorMessage(error));
        throw error;
      }
    },
  });

/** Reads the user's `platform_admin` role; null without it. Several rows count as one. */
const administratorQuery = (userId: string) =>
  queryOptions({
    queryKey: ['role', userId, 'platform_admin'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const call = data.from('user_roles').select('*').eq('user_id', userId).eq('role', 'platform_admin');
      const { data: rows } = await call.limit(1).abortSignal(signal).throwOnError();
      return rows[0] ?? null;
    },
  });

/** Reads the user's active memberships with their accounts. No permission depends on them. */
const membershipsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['memberships', userId],
    staleTime: 5 * 60_000,
    retry: false,
    queryFn: async ({ signal }) => {
      const call = data.from('account_members').select('*,accounts(*)').eq('user_id', userId);
      return (await call.eq('status', 'active').abortSignal(signal).throwOnError()).data;
    },
  });

/** Prefetches the profile, role and memberships. Ignores errors: the components report them. */
export const prefetchUserQueries = async (queries: QueryClient, { id }: User): Promise<void> => {
  await Promise.allSettled([
    queries.query(profileQuery(id)),
    queries.query(administratorQuery(id)),
    queries.query(membershipsQuery(id)),
  ]);
};

/** Starts the three queries concurrently. Used by the frame of the console. */
export const useUserQueries = (): void => {
  const user = useUser();
  const id = user?.id ?? '';
  const enabled = enabledIf(user !== null);
  useQuery({ ...profileQuery(id), ...enabled });
  useQuery({ ...administratorQuery(id), ...enabled });
  useQuery({ ...membershipsQuery(id), ...enabled });
};

export interface Memberships {
  /** Names of the accounts of the active memberships, in order; undefined until they are loaded. */
  readonly accounts: readonly string[] | undefined;
  readonly error: Error | null;
  readonly retrying: boolean;
  readonly retry: () => void;
}

export const useMemberships = (): Memberships => {
  const user = useUser();
  const query = useQuery({ ...membershipsQuery(user?.id ?? ''), ...enabledIf(user !== null) });
  return {
    accounts: query.data
      ?.flatMap(({ accounts: account }) => account?.name ?? [])
      .toSorted((a, b) => a.localeCompare(b)),
    error: query.error,
    retrying: query.isFetching,
    retry: () => void query.refetch(),
  };
};

export interface ProfileName {
  /** The user's full name; null if it is not set or not known. */
  readonly name: string | null;
  /** `failed` also for a user without a profile. */
  readonly state: 'loading' | 'loaded' | 'failed';
}

export const useProfileName = (): ProfileName => {
  const user = useUser();
  const query = useQuery({ ...profileQuery(user?.id ?? ''), ...enabledIf(user !== null) });
  const fullName = query.data?.full_name?.trim() ?? '';
  const state = query.data === undefined ? (query.isError ? 'failed' : 'loading') : 'loaded';
  return { name: fullName === '' ? null : fullName, state };
};

/** Returns the user's full name, or else their email, or null if neither is known. */
export const useDisplayName = (): string | null => {
  const { name } = useProfileName();
  const email = useUser()?.email;
  return name ?? email ?? null;
};

/** `unknown` until the role is loaded; `error` is set if loading failed. */
export interface AdministratorCheck {
  readonly state: 'unknown' | 'yes' | 'no';
  readonly error: Error | null;
  readonly retry: () => void;
}

/**
 * Returns whether the user has the role `platform_admin`. For display only: the service enforces the role.
 */
export const useIsAdministrator = (): AdministratorCheck => {
  const user = useUser();
  const query = useQuery({ ...administratorQuery(user?.id ?? ''), ...enabledIf(user !== null) });
  const retry = (): void => void query.refetch();
  if (query.data === undefined) return { state: 'unknown', error: query.error, retry };
  return { state: query.data === null ? 'no' : 'yes', error: null, retry };
};
