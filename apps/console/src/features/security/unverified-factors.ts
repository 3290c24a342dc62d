/** Removes unverified second factors, which cannot be used but still occupy their name. */
import { auth, unwrap } from '../../api/auth.ts';
import { readTimeoutMs } from '../../api/deadline.ts';
import { ApiError } from '../../api/errors.ts';
import { withReauthentication } from '../../session/with-reauthentication.ts';

/**
 * Deletes the unverified factors with this name.
 *
 * @returns true if there was one
 */
export const deleteUnverifiedFactors = async (name: string): Promise<boolean> => {
  const { all } = await unwrap(auth.mfa.listFactors(), { timeoutMs: readTimeoutMs });
  const unverified = all.filter((factor) => factor.status === 'unverified' && factor.friendly_name === name);
  for (const factor of unverified) await unwrap(auth.mfa.unenroll({ factorId: factor.id }));
  return unverified.length > 0;
};

/** Enrolls a factor. Removes an unverified factor of the same name, for example from before a reload. */
export const enrollWithRetry = async <Result>(
  name: string,
  enroll: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> => {
  try {
    return await withReauthentication(enroll, signal);
  } catch (error) {
    const isConflict = error instanceof ApiError && error.code === 'mfa_factor_name_conflict';
    if (!isConflict || !(await deleteUnverifiedFactors(name))) throw error;
    return enroll();
  }
};

/** Unenrolls a factor when its dialog closes. On failure the service deletes it after a few minutes. */
export const discardUnverifiedFactor = (factorId: string): void => {
  void auth.mfa.unenroll({ factorId }).catch(() => undefined);
};
