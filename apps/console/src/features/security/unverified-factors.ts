/** Second steps that were begun and left: they are no use to anybody, but keep their name. */
import { auth } from '../../api/auth.ts';
import { BackendError } from '../../api/errors.ts';
import { unwrapAuth } from '../../api/auth-requests.ts';
import { withReauthentication } from '../../session/fresh-session.ts';

/** Takes back what was begun under this name. @returns whether there was anything. */
export const deleteUnverifiedFactors = async (name: string): Promise<boolean> => {
  const { all } = await unwrapAuth(auth.mfa.listFactors());
  const unfinished = all.filter((factor) => factor.status === 'unverified' && factor.friendly_name === name);
  for (const factor of unfinished) await unwrapAuth(auth.mfa.unenroll({ factorId: factor.id }));
  return unfinished.length > 0;
};

/** Begins under a name that an attempt of a moment ago may still hold, for example one before a reload. */
export const enrollWithRetry = async <Begun>(name: string, begin: () => Promise<Begun>): Promise<Begun> => {
  try {
    return await withReauthentication(begin);
  } catch (error) {
    const taken = error instanceof BackendError && error.code === 'mfa_factor_name_conflict';
    if (!taken || !(await deleteUnverifiedFactors(name))) throw error;
    return begin();
  }
};

/** Somebody closed the dialog; what cannot be taken back now, the service forgets after a few minutes. */
export const discardUnverifiedFactor = (factorId: string): void => {
  void auth.mfa.unenroll({ factorId }).catch(() => undefined);
};
