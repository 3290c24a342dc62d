/** A page of another origin can send `text/plain` without a preflight, so no function accepts it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from './support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService('embedded');
});
afterAll(() => service.close());

it('every function rejects a body of another media type', async () => {
  const administrator = await service.createUser({ isAdministrator: true });
  const { access_token: token } = await service.signIn(administrator);
  const paths = service.service.app.routes
    .filter(({ method, path }) => method === 'POST' && path.startsWith('/functions/v1/'))
    .map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(30);
  const before = await service.fingerprint();
  for (const path of paths)
    for (const type of ['text/plain', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded']) {
      const response = await service.request(path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
        body: '{}',
      });
      expect([response.status, await response.json()], `${path} ${type}`).toMatchObject([
        415,
        { code: 'unsupported_media_type' },
      ]);
    }
  expect(await service.fingerprint()).toBe(before);
  expect(await service.emails()).toEqual([]);
});
