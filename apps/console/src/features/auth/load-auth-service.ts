/** Loads the auth service's code once; a failed load may be tried again. */
import type * as authService from './auth-service.ts';

export type AuthService = typeof authService;

let loading: Promise<AuthService> | null = null;

export const loadAuthService = (): Promise<AuthService> => {
  loading ??= import('./auth-service.ts').catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
};
