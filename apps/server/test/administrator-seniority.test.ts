/** What a session that is not fresh, and a new administrator, cannot do to other administrators. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { addSecondFactor } from '@lanternrock/auth/test-support/second-factor';
import { adminsCommand } from '../src/cli/commands/admins.ts';
import { definedFunctions } from '../src/functions/functions-service.ts';
import { createFunctionCaller, type CallFunction } from './support/call-function.ts';
import { emailsTo } from './support/email-links.ts';
import { captureOutput } from './support/command-output.ts';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';

eachEngine('rights of other administrators', (engine) => {
  let test: TestService;
  let call: CallFunction;
  let ann: TestUser;
  let bo: TestUser;
  let annToken: string;
  beforeAll(async () => {
    test = await startTestService(engine);
    call = createFunctionCaller(test);
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    ann = await test.createUser({ isAdministrator: true });
    bo = await test.createUser({ isAdministrator: true });
    annToken = (await test.signIn(ann)).access_token;
  });

  /** Every function that gives, takes or bypasses rights, with a body that would succeed, except for the ID of an invitation. */
  const acts = (user: Pick<TestUser, 'id' | 'email'>): Readonly<Record<string, object>> => ({
    'create-account-member-invitation-link': { invitation_id: user.id },
    'create-invitation-link': { email: user.email },
    'remove-administrator': { email: user.email },
    'restore-administrator': { email: user.email },
    'reset-administrator-factors': { email: user.email },
    'set-administrator-end': { user_id: user.id, ends_at: '2126-01-01T00:00:00Z' },
    'end-administrator-sessions': { user_id: user.id, session_id: null },
    'set-second-factor-requirement': { required: false },
  });

  const handlers = Object.values(definedFunctions);

  it('have a limit, as all functions that write', () => {
    const reads = [
      'account-contacts',
      'account-details',
      'account-member-invitations',
      'account-members',
      'administrator-details',
      'administrators',
      'handover',
      'handover-sheet',
      'invitation-history',
      'list-activity',
      'list-activity-people',
      'notification-settings-author',
      'own-phone',
      'plan-invitations',
      'recent-imports',
      'second-factor-requirement',
      'setup-steps',
      'sheet-accounts',
      'similar-accounts',
      'unsent-invitations',
    ];
    const unlimited = handlers.filter(({ limit }) => limit === undefined);
    expect(unlimited.map(({ name }) => name).toSorted()).toEqual(reads);
  });

  it('need a fresh session', async () => {
    expect(handlers.flatMap(({ name, fresh }) => (fresh ? [name] : [])).toSorted()).toEqual(
      Object.keys(acts(bo)).toSorted(),
    );
    // A stale session cannot use up their limit.
    const withStepUp = new Set(handlers.flatMap(({ fresh, limit }) => (fresh ? [limit] : [])));
    const shared = handlers.filter(({ fresh, limit }) => !fresh && withStepUp.has(limit));
    expect(shared.map(({ name }) => name)).toEqual([]);
    await test.database.query(
      sql`update auth.sessions set created_at = now() - interval '11 minutes' where user_id = ${ann.id}`,
    );
    const before = await test.fingerprint();
    for (const [name, body] of Object.entries(acts(bo)))
      expect(await call(name, body, annToken), name).toMatchObject([
        400,
        { code: 'reauthentication_needed' },
      ]);
    // The reason is checked before the body is read.
    expect(await call('remove-administrator', [], annToken)).toMatchObject([
      400,
      { code: 'reauthentication_needed' },
    ]);
    expect(await test.fingerprint()).toBe(before);
    const invited = { email: `new-${randomUUID()}@example.org`, full_name: 'New Person' };
    expect((await call('send-user-invitation', invited, annToken))[0]).toBe(200);
  });

  it('are closed to a new administrator, but not to the operator', async () => {
    const auth = createAuthRequester(test);
    await addSecondFactor(auth, (await test.signIn(bo)).access_token, () => new Date());
    const newcomer = await test.createUser({ isAdministrator: true, roleAgeHours: 1 });
    const token = (await test.signIn(newcomer)).access_token;
    const removed = await test.createUser({ isAdministrator: true });
    await test.database.query(sql`insert into private.invitations (email, full_name, user_id, status)
      values (${removed.email}, 'Removed Person', ${removed.id}, 'accepted')`);
    expect((await call('remove-administrator', { email: removed.email }, annToken))[0]).toBe(200);
    await test.database.query(
      sql`insert into private.second_factor_requirement (due_at) values (now() + interval '1 day')`,
    );
    const before = await test.fingerprint();
    const {
      'create-account-member-invitation-link': _member,
      'create-invitation-link': _link,
      'restore-administrator': _restored,
      ...onActive
    } = acts(bo);
    for (const [name, body] of [
      ...Object.entries(onActive),
      ['restore-administrator', { email: removed.email }] as const,
      // An invitation would remove the password and the factors.
      ['send-user-invitation', { email: removed.email, full_name: 'Removed Person' }] as const,
    ])
      expect(await call(name, body, token), name).toEqual([
        403,
        {
          code: 'administrator_too_new',
          error: expect.stringMatching(
            /^Your administrator role was granted less than 24 hours ago\. Until \w+day, \d+ \w+ \d{4} at \d\d:\d\d UTC, you cannot/,
          ),
          retry_after: expect.closeTo(23 * 3600, -3),
        },
      ]);
    expect(await test.fingerprint()).toBe(before);
    await test.database.query(sql`delete from private.second_factor_requirement`);

    // Own sessions, and administrators who came later.
    const later = await test.createUser({ isAdministrator: true, roleAgeHours: 0 });
    expect(
      (await call('end-administrator-sessions', acts(newcomer)['end-administrator-sessions'], token))[0],
    ).toBe(200);
    expect((await call('remove-administrator', { email: later.email }, token))[0]).toBe(200);
    expect((await call('remove-administrator', { email: newcomer.email }, annToken))[0]).toBe(200);
    const output = captureOutput(test.config.DATA_DIR);
    await adminsCommand.parse(['remove', bo.email]).run(test.service, output);
    expect(await call('administrator-details', { user_id: bo.id }, annToken)).toMatchObject([404, {}]);
  });

  it('are reported to all other administrators when a user is invited and accepts', async () => {
    await test.database.query(sql`delete from public.user_roles where user_id not in (${ann.id}, ${bo.id})`);
    const invitee = { email: `eve-${randomUUID()}@example.org`, full_name: 'Eve Young' };
    const invite = () => call('send-user-invitation', invitee, annToken);
    expect((await invite())[0]).toBe(200);
    const noticesTo = async (user: Pick<TestUser, 'email'>): Promise<[string | undefined, string][]> =>
      (await emailsTo(test, user.email)).map(({ subject, text = '' }) => [
        subject,
        text.replaceAll('\u2060', '').replaceAll(/\s+/g, ' '),
      ]);
    const notices = await noticesTo(bo);
    expect(notices).toEqual([
      [
        'An administrator of Lanternrock was invited',
        expect.stringContaining(`${ann.email} invited ${invitee.email} as an administrator of Lanternrock.`),
      ],
    ]);
    expect(notices[0]?.[1]).toContain('Device:');
    expect(await noticesTo(ann)).toEqual([]);
    // A resend gives no new right. Acceptance within ten minutes is part of the next email.
    expect((await invite())[0]).toBe(200);
    const [link] = (await emailsTo(test, invitee.email)).flatMap(
      ({ text = '' }) => text.match(/https?:\S+token_hash=\S+/g) ?? [],
    );
    const token = new URL(link ?? '').searchParams.get('token_hash');
    const auth = createAuthRequester(test);
    const opened = await auth('POST', '/verify', { body: { type: 'invite', token_hash: token } });
    const bearer = String(opened.json['access_token']);
    expect((await auth('PUT', '/user', { bearer, body: { password: 'a lantern on pier 9' } })).status).toBe(
      200,
    );
    expect(await noticesTo(ann)).toEqual([
      [
        'A new administrator of Lanternrock',
        expect.stringContaining(`${invitee.email} accepted an invitation`),
      ],
    ]);
    expect(await noticesTo(bo)).toHaveLength(1);
    await test.database.query(
      sql`update private.deliveries set attempted_at = attempted_at - interval '10 minutes' where attempted_at is not null`,
    );
    expect((await noticesTo(bo)).at(-1)).toEqual([
      'A new administrator of Lanternrock',
      expect.stringContaining(`${invitee.email} accepted`),
    ]);
    expect((await noticesTo(invitee)).map(([subject]) => subject)).not.toContain(
      'A new administrator of Lanternrock',
    );
  });

  it('stay closed to an administrator who was removed and restored', async () => {
    await test.database.query(sql`insert into private.invitations (email, full_name, user_id, status)
      values (${bo.email}, 'Bo Removed', ${bo.id}, 'accepted')`);
    expect((await call('remove-administrator', { email: bo.email }, annToken))[0]).toBe(200);
    expect((await call('restore-administrator', { email: bo.email }, annToken))[0]).toBe(200);
    const token = (await test.signIn(bo)).access_token;
    expect(await call('remove-administrator', { email: ann.email }, token)).toMatchObject([
      403,
      { code: 'administrator_too_new' },
    ]);
    // Bo was there before an administrator whose role is older than the restored one.
    const between = await test.createUser({ isAdministrator: true, roleAgeHours: 1 });
    const betweenToken = (await test.signIn(between)).access_token;
    expect(await call('remove-administrator', { email: bo.email }, betweenToken)).toMatchObject([
      403,
      { code: 'administrator_too_new' },
    ]);
  });
});
