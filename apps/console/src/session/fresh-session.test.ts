import { expect, it, vi } from 'vitest';
import { ApiError } from '../api/errors.ts';
import { withReauthentication } from './fresh-session.ts';

it('rejects a change that needs a fresh session if no dialog is mounted, and does not send it again', async () => {
  const needed = new ApiError({ kind: 'auth', code: 'reauthentication_needed', message: '' });
  const send = vi.fn(() => Promise.reject(needed));
  await expect(withReauthentication(send)).rejects.toMatchObject({ code: 'reauthentication_canceled' });
  expect(send).toHaveBeenCalledTimes(1);
});
