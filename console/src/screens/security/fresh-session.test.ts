import { expect, it, vi } from 'vitest';
import { BackendError } from '../../backend-error.ts';
import { withProof } from './fresh-session.ts';

it('a change that needs a proof fails at once where no dialog is mounted, and is not sent again', async () => {
  const needed = new BackendError({ kind: 'auth', code: 'reauthentication_needed', message: '' });
  const send = vi.fn(() => Promise.reject(needed));
  await expect(withProof(send)).rejects.toMatchObject({ code: 'proof_canceled' });
  expect(send).toHaveBeenCalledTimes(1);
});
