/** Going from page to page within the sign-in document, without a router. */
import { createContext, useContext } from 'react';

export interface AuthNavigation {
  readonly productName: string;
  /** Opens another page of this document in place of the current one. */
  readonly go: (path: '/auth' | `/auth/set-password${string}`) => void;
}

export const AuthNavigationContext = createContext<AuthNavigation>({ productName: '', go: () => undefined });

export const useAuthNavigation = (): AuthNavigation => useContext(AuthNavigationContext);

/** Opens the console's document. Replaced, so that Back does not return to a form that is done with. */
export const goToConsole = (path: string): void => location.replace(path);
