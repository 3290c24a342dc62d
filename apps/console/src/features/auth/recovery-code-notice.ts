/** The notice after the use of a recovery code: how many are left, and where to generate new ones. */
import { type QueuedToast, showMessage } from '../../ui/queued-toasts.ts';
import { loadAuthService } from './load-auth-service.ts';

/** New codes are offered at this number of remaining ones. */
const lowCodeCount = 3;

/** The user waits for the console, and the code was accepted in any case. */
const timeoutMs = 2000;

/** Returns null if the count cannot be read in time. */
export const readRecoveryCodeNotice = (): Promise<QueuedToast | null> =>
  Promise.race([readNotice(), new Promise<null>((resolve) => setTimeout(() => resolve(null), timeoutMs))]);

const readNotice = async (): Promise<QueuedToast | null> => {
  try {
    const { remaining, total } = await (await loadAuthService()).countRecoveryCodes();
    const isLow = remaining <= lowCodeCount;
    return {
      action: 'recovery-code',
      title: 'You used a recovery code',
      description: `${remaining} of ${total} recovery codes ${remaining === 1 ? 'is' : 'are'} left.${isLow ? ' Generate new codes before you run out.' : ''}`,
      persistent: isLow,
      ...(isLow && { page: { label: 'Generate new codes', path: '/admin/me/security' } }),
    };
  } catch {
    return null;
  }
};

/** Shows the notice in this document. */
export const showRecoveryCodeNotice = async (): Promise<void> => {
  const notice = await readRecoveryCodeNotice();
  if (notice !== null) showMessage(notice);
};
