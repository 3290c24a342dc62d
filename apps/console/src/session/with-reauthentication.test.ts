import { expect, it, vi } from 'vitest';
import { ApiError } from '../api/errors.ts';
import { withReauthentication } from './with-reauthentication.ts';

const needed = new ApiError({ kind: 'auth', code: 'reauthentication_needed', message: '' });

it('rejects a change that needs a fresh session if no dialog is mounted, and does not send it again', async () => {
  const send = vi.fn(() => Promise.reject(needed));
  const { signal } = new AbortController();
  await expect(withReauthentication(send, signal)).rejects.toMatchObject({
    code: 'reauthentication_canceled',
  });
  expect(send).toHaveBeenCalledTimes(1);
});

it('requests no reauthentication after Cancel', async () => {
  const press = new AbortController();
  const send = vi.fn(async () => {
    press.abort(new DOMException('', 'AbortError'));
    throw needed;
  });
  await expect(withReauthentication(send, press.signal)).rejects.toMatchObject({ name: 'AbortError' });
  expect(send).toHaveBeenCalledTimes(1);
});
