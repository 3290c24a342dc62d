/** Emails about a removed or restored administrator, and about the requirement of a second factor. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { addSecondFactor } from '@lanternrock/auth/test-support/second-factor';
import { createFunctionCaller, type CallFunction } from './support/call-function.ts';
import { emailsTo } from './support/email-links.ts';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';

eachEngine('notices about administrators', (engine) => {
  let test: TestService;
  let call: CallFunction;
  let ann: TestUser;
  let bo: TestUser;
  let cy: TestUser;
  let annToken: string;
  beforeAll(async () => {
    test = await startTestService(engine);
    call = createFunctionCaller(test);
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    await test.database.query(sql`delete from private.second_factor_requirement`);
    ann = await test.createUser({ isAdministrator: true });
    bo = await test.createUser({ isAdministrator: true });
    cy = await test.createUser({ isAdministrator: true });
    await test.database.query(
      sql`delete from public.user_roles where user_id not in (${ann.id}, ${bo.id}, ${cy.id})`,
    );
    annToken = (await test.signIn(ann)).access_token;
  });

  const noticesTo = async ({ email }: Pick<TestUser, 'email'>): Promise<readonly [string, string][]> =>
    (await emailsTo(test, email)).map(({ subject = '', text = '' }) => [
      subject,
      text.replaceAll(/\s+/g, ' '),
    ]);
  /** Notices of one kind to one user come at most every ten minutes. */
  const passTenMinutes = () =>
    test.database.query(
      sql`update private.deliveries set attempted_at = attempted_at - interval '11 minutes' where attempted_at is not null`,
    );

  it('inform the user and the others of a removal and of a restoration, and not the actor', async () => {
    await test.database.query(sql`insert into private.invitations (email, full_name, user_id, status)
      values (${bo.email}, 'Bo', ${bo.id}, 'accepted')`);
    expect((await call('remove-administrator', { email: bo.email }, annToken))[0]).toBe(200);
    expect(await noticesTo(bo)).toEqual([
      ['Your access to Lanternrock was removed', expect.stringContaining(`${ann.email} removed you`)],
    ]);
    expect(await noticesTo(cy)).toEqual([
      [
        'An administrator of Lanternrock was removed',
        expect.stringContaining(`${ann.email} removed ${bo.email}`),
      ],
    ]);
    await passTenMinutes();
    expect((await call('restore-administrator', { email: bo.email }, annToken))[0]).toBe(200);
    expect((await noticesTo(bo)).map(([subject]) => subject)).toEqual([
      'Your access to Lanternrock was removed',
      'Your access to Lanternrock was restored',
    ]);
    expect((await noticesTo(cy)).map(([subject]) => subject)).toEqual([
      'An administrator of Lanternrock was removed',
      'An administrator of Lanternrock was restored',
    ]);
    expect(await noticesTo(ann)).toEqual([]);
  });

  it('are sent about a removal immediately after one about an invitation', async () => {
    await call('send-user-invitation', { email: `new-${bo.email}`, full_name: 'New Person' }, annToken);
    expect((await noticesTo(cy)).map(([subject]) => subject)).toEqual([
      'An administrator of Lanternrock was invited',
    ]);
    expect((await call('remove-administrator', { email: bo.email }, annToken))[0]).toBe(200);
    expect((await noticesTo(cy)).at(-1)?.[0]).toBe('An administrator of Lanternrock was removed');
    expect((await noticesTo(bo)).at(-1)?.[0]).toBe('Your access to Lanternrock was removed');
  });

  it('inform the user and the others of the end of a role, if it changed', async () => {
    const end = new Date(Date.now() + 3_600_000).toISOString();
    const setEnd = async (ends_at: string | null): Promise<void> => {
      await noticesTo(bo);
      await passTenMinutes();
      expect((await call('set-administrator-end', { user_id: bo.id, ends_at }, annToken))[0]).toBe(200);
    };
    await setEnd(null);
    expect(await noticesTo(bo)).toEqual([]);
    await setEnd(end);
    await setEnd(end);
    await setEnd(null);
    const own = 'The end of your access to Lanternrock was changed';
    expect(await noticesTo(bo)).toEqual([
      [own, expect.stringContaining(`${ann.email} changed your role`)],
      [own, expect.stringContaining(`${ann.email} removed the end of your role`)],
    ]);
    const other = 'The end of the role of an administrator of Lanternrock was changed';
    expect(await noticesTo(cy)).toEqual([
      [other, expect.stringContaining(`${ann.email} changed the role of ${bo.email}`)],
      [other, expect.stringContaining(`${ann.email} removed the end of the role of ${bo.email}`)],
    ]);
    expect(await noticesTo(ann)).toEqual([]);
  });

  it('are not sent for a rejected end of a role', async () => {
    const past = new Date(Date.now() - 1000).toISOString();
    const reject = async (user_id: string, ends_at: string | null, status: number): Promise<void> => {
      expect((await call('set-administrator-end', { user_id, ends_at }, annToken))[0]).toBe(status);
    };
    await reject(bo.id, past, 400);
    await reject((await test.createUser({})).id, null, 404);
    await reject(ann.id, new Date(Date.now() + 3_600_000).toISOString(), 403);
    for (const user of [ann, bo, cy]) expect(await noticesTo(user)).toEqual([]);
  });

  it('of a restoration go to the present address, and name a role that has ended', async () => {
    await test.database
      .query(sql`insert into private.invitations (email, full_name, user_id, status, role_ends_at)
      values (${bo.email}, 'Bo', ${bo.id}, 'accepted', null)`);
    const present = `present-${bo.email}`;
    await test.database.query(sql`update auth.users set email = ${present} where id = ${bo.id}`);
    expect((await call('remove-administrator', { email: present }, annToken))[0]).toBe(200);
    expect(await noticesTo({ email: present })).toHaveLength(1);
    await test.database.query(
      sql`update private.invitations set role_ends_at = now() - interval '1 hour' where user_id = ${bo.id}`,
    );
    await passTenMinutes();
    expect(await call('restore-administrator', { email: bo.email }, annToken)).toMatchObject([
      200,
      { role_ended_at: expect.any(String) },
    ]);
    expect(await noticesTo(bo)).toEqual([]);
    expect((await noticesTo({ email: present })).at(-1)).toEqual([
      'Your access to Lanternrock was restored',
      expect.stringContaining('The role ended on'),
    ]);
    expect((await noticesTo(cy)).at(-1)?.[1]).toContain(`restored ${present} as an administrator`);
  });

  it('are not sent for a rejected removal or restoration', async () => {
    const stranger = await test.createUser({});
    expect((await call('remove-administrator', { email: stranger.email }, annToken))[0]).toBe(404);
    expect((await call('restore-administrator', { email: bo.email }, annToken))[0]).toBe(404);
    const newcomer = await test.createUser({ isAdministrator: true, roleAgeHours: 1 });
    const token = (await test.signIn(newcomer)).access_token;
    expect((await call('remove-administrator', { email: bo.email }, token))[0]).toBe(403);
    for (const user of [stranger, bo, cy]) expect(await noticesTo(user)).toEqual([]);
  });

  it('inform the others of a requirement of a second factor, and of its end', async () => {
    const require = { required: true, grace_days: 7 };
    expect((await call('set-second-factor-requirement', require, annToken))[0]).toBe(403);
    expect((await call('set-second-factor-requirement', { required: false }, annToken))[0]).toBe(200);
    // Neither changed anything.
    expect(await noticesTo(bo)).toEqual([]);
    const { elevated } = await addSecondFactor(createAuthRequester(test), annToken, () => new Date());
    const token = String(elevated.json['access_token']);
    expect((await call('set-second-factor-requirement', require, token))[0]).toBe(200);
    expect(await noticesTo(bo)).toEqual([
      [
        'Administrators of Lanternrock need a second factor',
        expect.stringContaining(
          `${ann.email} requires a second factor of all administrators of Lanternrock from`,
        ),
      ],
    ]);
    await passTenMinutes();
    expect((await call('set-second-factor-requirement', { required: false }, token))[0]).toBe(200);
    expect((await noticesTo(cy)).map(([subject]) => subject)).toEqual([
      'Administrators of Lanternrock need a second factor',
      'Administrators of Lanternrock no longer need a second factor',
    ]);
    expect((await noticesTo(ann)).map(([subject]) => subject)).not.toContainEqual(
      expect.stringMatching(/^Administrators/),
    );
  });
});
