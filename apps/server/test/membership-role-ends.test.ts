/** Memberships that an administrator gives whose own role ends. */
import { randomUUID } from 'node:crypto';
import type { MemberChangeResponse } from '@lanternrock/contract/account-members';
import { sql } from '@lanternrock/postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFunctionCaller } from './support/call-function.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

eachEngine('memberships of an administrator whose role ends', (engine) => {
  let test: TestService;
  beforeAll(async () => {
    test = await startTestService(engine);
  });
  afterAll(() => test.close());

  it('outlast the role only by an undo', async () => {
    const call = createFunctionCaller(test);
    await test.createUser({ isAdministrator: true });
    const bo = await test.createUser({ isAdministrator: true });
    const token = (await test.signIn(bo)).access_token;
    const mia = await test.createUser();
    const account = randomUUID();
    await test.database.query(
      sql`insert into public.accounts (id, name, slug, account_type) values (${account}, 'Vail', 'a', 'enterprise')`,
    );
    const post = (name: string, body: object): Promise<[number, unknown]> =>
      call(name, { account_id: account, ...body }, token);
    const change = async (name: string, body: object): Promise<MemberChangeResponse> => {
      const [status, response] = await post(name, body);
      expect([status, response]).toMatchObject([200, {}]);
      return response as MemberChangeResponse;
    };
    const reject = async (name: string, body: object): Promise<void> => {
      const before = await test.fingerprint();
      expect(await post(name, body)).toMatchObject([
        403,
        {
          code: 'membership_outlasts_role',
          error:
            'You cannot give a membership that outlasts your own role. Set an end date that is not after the end of your role.',
        },
      ]);
      expect(await test.fingerprint()).toBe(before);
    };
    await change('add-account-member', { email: mia.email });
    await test.database.query(
      sql`update public.user_roles set ends_at = ${inHours(24)} where user_id = ${bo.id}`,
    );
    for (const ends_at of [undefined, null, inHours(25)])
      await reject('add-account-member', { email: bo.email, ends_at });
    const member = { user_id: mia.id };
    await reject('set-account-member', { ...member, ends_at: inHours(25) });
    const { change: shortened } = await change('set-account-member', { ...member, ends_at: inHours(5) });
    await reject('set-account-member', { ...member, ends_at: null });
    expect((await change('undo-account-member', { change: shortened })).member).toMatchObject({
      ends_at: null,
    });
    const { change: removal } = await change('remove-account-member', member);
    expect((await change('undo-account-member', { change: removal })).member).toMatchObject({
      ends_at: null,
    });
    await change('add-account-member', { email: bo.email, ends_at: inHours(23) });
  });
});
