/** The function setup-steps: which steps of a new instance are done, for whom, on both databases. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type SetupStepsResponse, setupSteps } from '@lanternrock/contract/setup-steps';
import { type Statement, sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { fingerprint } from '@lanternrock/testing/fingerprint';
import { readSetupSteps } from '../src/administrators/setup-steps.ts';
import { openAdminFixture, openEmailFixture, type AdminFixture } from './support/invitation-fixture.ts';

eachEngine('setup-steps', (engine) => {
  let fixture: AdminFixture;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(async () => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    const { database, admin } = fixture;
    await database.query(sql`update public.profiles set full_name = 'Administrator' where id = ${admin}`);
    await database.query(sql`delete from public.accounts`);
    await database.query(sql`delete from auth.mfa_factors`);
    await database.query(sql`update platform.migrations set applied_at = now()`);
  });

  const read = async (as = fixture.admin): Promise<SetupStepsResponse> => {
    const response = await fixture.call({}, as, {}, 'setup-steps');
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    return (await response.json()) as SetupStepsResponse;
  };
  const run = (statement: Statement): Promise<unknown> => fixture.database.query(statement);

  /** Reads as a session with a second factor, which the tokens of the fixture do not have. */
  const readAs = (userId: string): Promise<SetupStepsResponse> =>
    fixture.database.transaction(async (tx) => {
      await tx.query(sql`select set_config('request.jwt.claims', ${JSON.stringify({ sub: userId })}, true)`);
      return readSetupSteps(tx, fixture.config);
    });

  it('has no step done on a new instance, and changes nothing', async () => {
    const before = await fingerprint(fixture.database);
    expect(await read()).toEqual({ is_new: true, done: [], invitation_pending: false });
    expect(await fingerprint(fixture.database)).toBe(before);
  });

  it('reads each step from its data', async () => {
    const { admin } = fixture;
    const done = async (): Promise<readonly string[]> => (await read()).done;
    await run(sql`update public.profiles set full_name = 'Ann Lee' where id = ${admin}`);
    expect(await done()).toEqual(['name']);
    await run(
      sql`insert into public.notification_settings (sender_email, sender_name) values ('alerts@example.org', 'Alerts')`,
    );
    expect(await done()).toEqual(['name', 'sender']);
    await run(
      sql`insert into public.accounts (name, slug, account_type) values ('Alpine', 'alpine', 'enterprise')`,
    );
    expect(await done()).toEqual(['name', 'sender', 'first_account']);
    await fixture.createUser({ administrator: true });
    expect(await done()).toEqual(['name', 'sender', 'second_administrator', 'first_account']);
    await run(
      sql`insert into auth.mfa_factors (user_id, factor_type, status) values (${admin}, 'totp', 'unverified')`,
    );
    expect(await done()).toEqual(['name', 'sender', 'second_administrator', 'first_account']);
    await run(sql`update auth.mfa_factors set status = 'verified'`);
    expect((await readAs(admin)).done).toEqual(setupSteps.filter((step) => step !== 'mail_server'));
  });

  it('does not count administrators without rights, and shows an open invitation', async () => {
    const other = await fixture.createUser({ administrator: true });
    expect((await read()).done).toEqual(['second_administrator']);
    await run(sql`update auth.users set banned_until = 'infinity' where id = ${other}`);
    expect((await read()).done).toEqual([]);
    await run(
      sql`insert into public.user_invitations (full_name, email, status, expires_at)
          values ('Jo Lee', 'jo@example.org', 'pending', now() - interval '1 second'),
            ('Kim Lee', 'kim@example.org', 'revoked', now() + interval '1 day')`,
    );
    expect(await read()).toMatchObject({ invitation_pending: false });
    await run(
      sql`insert into public.user_invitations (full_name, email, status, expires_at)
          values ('Mo Lee', 'mo@example.org', 'pending', now() + interval '1 day')`,
    );
    expect(await read()).toMatchObject({ done: [], invitation_pending: true });
  });

  it('concerns the user who reads it', async () => {
    const other = await fixture.createUser({ administrator: true });
    await run(sql`update public.profiles set full_name = 'Bo Ek' where id = ${other}`);
    await run(
      sql`insert into auth.mfa_factors (user_id, factor_type, status) values (${other}, 'totp', 'verified')`,
    );
    expect((await read()).done).toEqual(['second_administrator']);
  });

  it('reports an instance as new for 30 days after its database was created', async () => {
    await run(sql`update platform.migrations set applied_at = now() - interval '29 days'`);
    expect((await read()).is_new).toBe(true);
    await run(
      sql`update platform.migrations set applied_at = now() - interval '31 days'
          where name = (select min(name) from platform.migrations)`,
    );
    expect((await read()).is_new).toBe(false);
  });

  it('is for administrators only', async () => {
    const user = await fixture.createUser();
    const before = await fingerprint(fixture.database);
    expect(await (await fixture.call({}, user, {}, 'setup-steps')).json()).toMatchObject({
      code: 'not_platform_admin',
    });
    const anonymous = await fixture.call({}, undefined, {}, 'setup-steps');
    expect(anonymous.status).toBe(401);
    expect(await fingerprint(fixture.database)).toBe(before);
  });

  it('reads mail server and sender from the settings of the service', async () => {
    const configured = await openEmailFixture(engine, { settings: { MAIL_FROM: 'console@example.org' } });
    try {
      const response = await configured.call({}, configured.admin, {}, 'setup-steps');
      expect(await response.json()).toMatchObject({ done: ['mail_server', 'sender'] });
    } finally {
      await configured.close();
    }
  });
});
