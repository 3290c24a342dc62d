/** The responses of the Data API to the errors of the session check. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from './support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService('embedded');
  const { database } = service.service;
  await database.maintenance((tx) =>
    database.script(
      tx,
      `create function public.fail_with(code text) returns text language plpgsql stable
         as $$begin raise exception 'm' using errcode = code; end$$;
       grant execute on function public.fail_with to service_role;
       notify pgrst, 'reload schema';`,
    ),
  );
});
afterAll(() => service.close());

it.each([
  ['LR001', 401, 'PGRST303'],
  ['LR002', 401, 'PGRST303'],
  ['LR003', 403, 'password_not_set'],
  ['LR004', 403, 'insufficient_aal'],
])('maps the error %s to %i %s', async (sqlstate, status, code) => {
  const call = (): Promise<Response> =>
    service.request(`/rest/v1/rpc/fail_with?code=${sqlstate}`, {
      headers: { apikey: service.serviceRoleKey },
    });
  // The schema cache is reloaded shortly after the notification.
  await expect.poll(async () => (await call()).status).not.toBe(404);
  const response = await call();
  expect([response.status, await response.json()]).toEqual([
    status,
    { code, message: 'm', details: null, hint: null },
  ]);
});
