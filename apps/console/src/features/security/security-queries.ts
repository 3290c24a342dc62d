/** What the security page reads. Every key begins with 'security', so that one word renews all. */
import { queryOptions } from '@tanstack/react-query';
import { auth, requestAuth, type Factor, type UserIdentity } from '../../api/auth.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import { BackendError, fieldOf, unreadableMessage } from '../../api/errors.ts';
import { unwrapAuth } from '../../api/auth-requests.ts';

export const securityQueryKey = ['security'] as const;

export interface CurrentUser {
  readonly id: string;
  readonly email: string;
  /** Verified ones, oldest first. */
  readonly factors: readonly Factor[];
  readonly identities: readonly UserIdentity[];
  /** As far as can be seen: a user who came by a provider has none until they set one. */
  readonly hasPassword: boolean;
}

/** The person as the service knows it now; the stored session may lag behind. */
export const currentUserQuery = queryOptions({
  queryKey: [...securityQueryKey, 'user'],
  queryFn: async (): Promise<CurrentUser> => {
    const { user } = await unwrapAuth(auth.getUser());
    const identities = user.identities ?? [];
    return {
      id: user.id,
      email: user.email ?? '',
      factors: (user.factors ?? []).filter((factor) => factor.status === 'verified'),
      identities,
      hasPassword: identities.some(({ provider }) => provider === 'email'),
    };
  },
});

export interface AuthSettings {
  readonly passkeys: boolean;
  readonly phone: boolean;
  /** Names of the sign-in providers that are set up, such as 'google'. */
  readonly providers: readonly string[];
}

const notProviders = new Set(['email', 'phone', 'anonymous_users']);

/** What this backend offers; not read where it cannot say so. */
export const authSettingsQuery = queryOptions({
  queryKey: [...securityQueryKey, 'settings'],
  staleTime: 5 * 60_000,
  ...(hasFeature('auth-settings') ? {} : { enabled: false }),
  queryFn: async ({ signal }): Promise<AuthSettings> => {
    const answer = await requestAuth('/settings', { signal });
    const external = Object.entries(fieldOf(answer, 'external') ?? {});
    return {
      passkeys: fieldOf(answer, 'passkeys_enabled') === true,
      phone: external.some(([name, on]) => name === 'phone' && on === true),
      providers: external.flatMap(([name, on]) => (on === true && !notProviders.has(name) ? [name] : [])),
    };
  },
});

export const passkeysQuery = queryOptions({
  queryKey: [...securityQueryKey, 'passkeys'],
  queryFn: async () => unwrapAuth(auth.passkey.list()),
});

export interface RecoveryCodeCount {
  readonly total: number;
  readonly remaining: number;
}

/** Null when there are none. */
export const recoveryCodesQuery = queryOptions({
  queryKey: [...securityQueryKey, 'recovery-codes'],
  queryFn: async (): Promise<RecoveryCodeCount | null> => {
    const left = await unwrapAuth(auth.mfa.recoveryCodes.getStatus());
    return left.total === 0 ? null : left;
  },
});

export interface SessionSummary {
  readonly id: string;
  readonly created_at: string;
  readonly refreshed_at: string | null;
  readonly user_agent: string | null;
  readonly ip: string | null;
  readonly current: boolean;
}

const isSessionLine = (line: unknown): line is SessionSummary =>
  typeof fieldOf(line, 'id') === 'string' && typeof fieldOf(line, 'created_at') === 'string';

/** The one in use first, then by last use. */
export const sessionsQuery = queryOptions({
  queryKey: [...securityQueryKey, 'sessions'],
  queryFn: async ({ signal }): Promise<readonly SessionSummary[]> => {
    const lines = await requestAuth('/user/sessions', { signal });
    if (!Array.isArray(lines) || !lines.every(isSessionLine)) {
      throw new BackendError({ kind: 'shape', message: unreadableMessage });
    }
    return lines.toSorted((one, other) => Number(other.current) - Number(one.current));
  },
});
