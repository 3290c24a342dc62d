/** The session as React sees it, and what is read about the signed-in person. */
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { AccountMemberRow, ProfileRow, UserRoleRow } from '@lanternrock/contract/rows';
import type { User } from '../api/auth.ts';
import { membershipsRead, platformAdminRead, profileRead } from '../api/prefetch.ts';
import { readCall, unwrap, unwrapRows } from '../api/data.ts';
import { errorMessage } from '../api/errors.ts';
import { getSessionState, type SessionState, subscribeToSession } from './session-store.ts';

/** The session of this document; re-renders on every change. */
export const useSession = (): SessionState => useSyncExternalStore(subscribeToSession, getSessionState);

/**
 * The signed-in user, or null. While a lost session is being renewed over a page with unsaved input,
 * the user of that page: nothing on it may change under the dialog.
 */
export const useUser = (): User | null => {
  const session = useSession();
  if (session.status === 'signed-in') return session.session.user;
  return session.status === 'signed-out' ? session.last : null;
};

/** Keys of what is read about the person begin with it; invalidating it reads the name again. */
export const profileKey = ['profile'] as const;

/** The user's own row of `profiles`. A failure is only logged (specification section 7). */
const profileQuery = (userId: string) =>
  queryOptions({
    queryKey: [...profileKey, userId],
    staleTime: 5 * 60_000,
    retry: false,
    queryFn: async ({ signal }) => {
      try {
        return await unwrap(readCall<ProfileRow>(profileRead(userId), signal));
      } catch (error) {
        if (!signal.aborted) console.error('The profile could not be read:', errorMessage(error));
        throw error;
      }
    },
  });

/** Whether the user holds the role that opens the Admins screen; several rows of it are as good as one. */
const platformAdminQuery = (userId: string) =>
  queryOptions({
    queryKey: ['role', userId, 'platform_admin'],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (await unwrapRows(readCall<UserRoleRow[]>(platformAdminRead(userId), signal)))[0] ?? null,
  });

/** The user's active memberships with their accounts. Loaded, but nothing is decided by them. */
const membershipsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['memberships', userId],
    staleTime: 5 * 60_000,
    retry: false,
    queryFn: ({ signal }) => unwrapRows(readCall<AccountMemberRow[]>(membershipsRead(userId), signal)),
  });

/** Reads all three before a component asks for them; a failure is for the component to tell. */
export const prefetchUserQueries = async (queries: QueryClient, { id }: User): Promise<void> => {
  await Promise.allSettled([
    queries.query(profileQuery(id)),
    queries.query(platformAdminQuery(id)),
    queries.query(membershipsQuery(id)),
  ]);
};

/** About nobody nothing is asked; about somebody as the cache's defaults say. */
const askedOf = (user: User | null): { enabled?: false } => (user === null ? { enabled: false } : {});

/** Starts the three reads at once; call it where the console's frame is rendered. */
export const useUserQueries = (): void => {
  const user = useUser();
  const id = user?.id ?? '';
  const asked = askedOf(user);
  useQuery({ ...profileQuery(id), ...asked });
  useQuery({ ...platformAdminQuery(id), ...asked });
  useQuery({ ...membershipsQuery(id), ...asked });
};

/** The person's full name; null while it is not known, and where there is none. */
export const useProfileName = (): string | null => {
  const user = useUser();
  const { data } = useQuery({ ...profileQuery(user?.id ?? ''), ...askedOf(user) });
  const fullName = data?.full_name?.trim() ?? '';
  return fullName === '' ? null : fullName;
};

/** Full name, else e-mail, else null while neither is known. */
export const useDisplayName = (): string | null => {
  const fullName = useProfileName();
  const email = useUser()?.email;
  return fullName ?? email ?? null;
};

/** 'unknown' until the service has answered; `error` and `retry` when it could not. */
export interface PlatformAdminCheck {
  readonly state: 'unknown' | 'yes' | 'no';
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Whether the signed-in user holds the role platform_admin. The service enforces it on its own. */
export const useIsPlatformAdmin = (): PlatformAdminCheck => {
  const user = useUser();
  const query = useQuery({ ...platformAdminQuery(user?.id ?? ''), ...askedOf(user) });
  const retry = (): void => void query.refetch();
  if (query.data === undefined) return { state: 'unknown', error: query.error, retry };
  return { state: query.data === null ? 'no' : 'yes', error: null, retry };
};
