/** Queries of the security screen. All keys start with `securityQueryKey`, which invalidates them together. */
import { queryOptions } from '@tanstack/react-query';
import { auth, unwrap, type Factor, type UserIdentity } from '../../api/auth.ts';
import { readTimeoutMs } from '../../api/deadline.ts';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { shapeError } from '../../api/errors.ts';
import { findField } from '../../api/json.ts';

export const securityQueryKey = ['security'] as const;

export interface CurrentUser {
  readonly id: string;
  readonly email: string;
  /** Verified factors, oldest first. */
  readonly factors: readonly Factor[];
  readonly identities: readonly UserIdentity[];
  /** Derived from the identities: a user of an OAuth provider has no password until they set one. */
  readonly hasPassword: boolean;
}

/** The current user from the service. The stored session may be out of date. */
export const currentUserQuery = queryOptions({
  queryKey: [...securityQueryKey, 'user'],
  queryFn: async (): Promise<CurrentUser> => {
    const { user } = await unwrap(auth.getUser(), { timeoutMs: readTimeoutMs });
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
  /** Names of the configured OAuth providers, such as 'google'. */
  readonly providers: readonly string[];
}

const notProviders = new Set(['email', 'phone', 'anonymous_users']);

/** Sign-in methods that the backend offers. Disabled for backends without the feature `auth-settings`. */
export const authSettingsQuery = queryOptions({
  queryKey: [...securityQueryKey, 'settings'],
  staleTime: 5 * 60_000,
  ...enabledIf(hasFeature('auth-settings')),
  queryFn: async ({ signal }): Promise<AuthSettings> => {
    const response = await auth.request('/settings', { signal });
    const external = Object.entries(findField(response, 'external') ?? {});
    return {
      passkeys: findField(response, 'passkeys_enabled') === true,
      phone: external.some(([name, on]) => name === 'phone' && on === true),
      providers: external.flatMap(([name, on]) => (on === true && !notProviders.has(name) ? [name] : [])),
    };
  },
});

export const passkeysQuery = queryOptions({
  queryKey: [...securityQueryKey, 'passkeys'],
  queryFn: async () => unwrap(auth.passkey.list(), { timeoutMs: readTimeoutMs }),
});

export interface RecoveryCodeCount {
  readonly total: number;
  readonly remaining: number;
}

/** Null if the user has no recovery codes. */
export const recoveryCodesQuery = queryOptions({
  queryKey: [...securityQueryKey, 'recovery-codes'],
  queryFn: async (): Promise<RecoveryCodeCount | null> => {
    const count = await unwrap(auth.mfa.recoveryCodes.getStatus(), { timeoutMs: readTimeoutMs });
    return count.total === 0 ? null : count;
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

const isSessionSummary = (row: unknown): row is SessionSummary =>
  typeof findField(row, 'id') === 'string' && typeof findField(row, 'created_at') === 'string';

/** The current session first, then by last use. */
export const sessionsQuery = queryOptions({
  queryKey: [...securityQueryKey, 'sessions'],
  queryFn: async ({ signal }): Promise<readonly SessionSummary[]> => {
    const rows = await auth.request('/user/sessions', { signal });
    if (!Array.isArray(rows) || !rows.every(isSessionSummary)) {
      throw shapeError();
    }
    return rows.toSorted((one, other) => Number(other.current) - Number(one.current));
  },
});
