/** Navigation within the sign-in document, which has no router. */
import { createContext, useContext } from 'react';

export interface AuthNavigation {
  readonly productName: string;
  /** Replaces the current page by another page of this document. */
  readonly go: (path: '/auth' | `/auth/set-password${string}`) => void;
}

export const AuthNavigationContext = createContext<AuthNavigation>({ productName: '', go: () => undefined });

export const useAuthNavigation = (): AuthNavigation => useContext(AuthNavigationContext);

/** Opens the console document. Replaces the history entry, so that Back does not return to a submitted form. */
export const goToConsole = (path: string): void => location.replace(path);
