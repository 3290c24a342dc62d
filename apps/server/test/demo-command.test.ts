/** The command demo and the mark of a demonstration, on both databases. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { demoCommand } from '../src/cli/commands/demo.ts';
import { isDemonstration } from '../src/database/demonstration.ts';
import { captureOutput } from './support/command-output.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

eachEngine('the command demo', (engine) => {
  let test: TestService;
  beforeAll(async () => {
    test = await startTestService(engine);
  });
  afterAll(async () => test.close());

  const run = async (): Promise<readonly string[]> => {
    const output = captureOutput(test.config.DATA_DIR);
    expect(await demoCommand.parse([]).run(test.service, output)).toBe(0);
    return output.all;
  };

  it('demo fills an empty instance once, and marks it', async () => {
    expect(await isDemonstration(test.database)).toBe(false);
    expect(await run()).toEqual([
      'Added 12 sample accounts, 6 members and 3 invitations.',
      'Restart the service: all screens then say that the data is invented.',
    ]);
    expect(await isDemonstration(test.database)).toBe(true);
    const before = await test.fingerprint();
    expect(await run()).toEqual(['Accounts already exist. Nothing was added.']);
    expect(await test.fingerprint()).toBe(before);
  });

  it('demo shows members, a suspended account and an expired invitation', async () => {
    const { database } = test;
    expect(
      await database.query(
        sql`select a.name, a.active_members, m.status, p.full_name
            from public.account_members m join public.accounts a on a.id = m.account_id
              join public.profiles p on p.id = m.user_id
            where a.name like 'Vail%' order by p.full_name`,
      ),
    ).toEqual(
      [
        ['Dana Whitfield', 'active'],
        ['Luca Moretti', 'active'],
        ['Sam Okafor', 'suspended'],
      ].map(([full_name, status]) => ({ name: 'Vail Ski Patrol', active_members: 2, status, full_name })),
    );
    expect(
      await database.query(
        sql`select a.name, a.status, s.reason from public.accounts a left join private.account_suspensions s on s.id = a.id
            where a.status <> 'active'`,
      ),
    ).toEqual([
      {
        name: 'Stadium Medics United',
        status: 'suspended',
        reason: 'The contract has ended. A new one is being negotiated.',
      },
    ]);
    expect(
      await database.query(sql`select full_name, status from public.user_invitations order by full_name`),
    ).toEqual([
      { full_name: 'Jo Ferreira', status: 'expired' },
      { full_name: 'Mika Lindqvist', status: 'revoked' },
      { full_name: 'Robin Hart', status: 'pending' },
    ]);
    // No sample user has a role or can sign in.
    expect(
      await database.query(
        sql`select from auth.users u where u.encrypted_password is not null
              or exists (select from public.user_roles r where r.user_id = u.id)`,
      ),
    ).toEqual([]);
  });
});
