/** The daily verification of the audit chain: its email, and the state that the doctor reports. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, sql } from '@lanternrock/postgres';
import { readHead } from '../src/audit/chain-reads.ts';
import { checkAuditChain } from '../src/doctor/audit-chain.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

const day = 86_400_000;

eachEngine('the daily report of the audit log', (engine) => {
  let test: TestService;
  let database: Database;
  let now = new Date();
  beforeAll(async () => {
    test = await startTestService(engine, { now: () => now });
    database = test.database;
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    now = new Date();
    await database.query(sql`truncate private.audit_log, private.audit_seals, private.audit_reports`);
  });

  const insert = (at: Date) =>
    database.query(
      sql`insert into private.audit_log (table_name, action, at) values ('public.x', 'INSERT', ${at})`,
    );

  it('sends the verified head once a day to the administrators, only with new entries', async () => {
    const { email } = await test.createUser({ isAdministrator: true });
    await test.createUser();
    const reports = async () =>
      (await test.emails()).filter(({ subject }) => subject?.toLowerCase().includes('audit log'));
    const chain = test.service.auditChain;
    await Promise.all([chain.report(), chain.report()]);
    await chain.report();
    const [first, ...others] = await reports();
    expect(others).toEqual([]);
    expect(first?.to).toEqual([expect.objectContaining({ address: email })]);
    const { position, hash } = await readHead(database);
    expect(first?.subject).toBe(`Audit log of Lanternrock: sealed up to entry ${position}`);
    expect(first?.text?.replaceAll(/\s+/g, ' ')).toContain(
      `is sealed up to entry ${position}. All sealed entries were verified`,
    );
    expect(first?.text).toContain(`Entry and hash: ${position}:${hash}`);

    // The next day brings no new entry: verified, and no email.
    now = new Date(now.getTime() + day);
    await chain.report();
    expect(await reports()).toHaveLength(1);
    expect(await database.query(sql`select mailed from private.audit_reports order by day`)).toEqual([
      { mailed: true },
      { mailed: false },
    ]);

    await database.query(sql`alter table private.audit_log disable row level security`);
    await database.query(
      sql`update private.audit_log set row_id = 'x' where id = (select entry_id from private.audit_seals where position = 1)`,
    );
    await database.query(sql`alter table private.audit_log enable row level security`);
    now = new Date(now.getTime() + day);
    await chain.report();
    const [, second] = await reports();
    expect([second?.subject, second?.text]).toEqual([
      'The audit log of Lanternrock failed its verification',
      expect.stringContaining('Entry 1 was changed: its hash does not match.'),
    ]);
    expect(await checkAuditChain(database)).toMatchObject({
      status: 'failed',
      message: 'Entry 1 was changed: its hash does not match.',
    });
  });

  it('the doctor reports the state of the chain', async () => {
    await insert(new Date());
    await insert(new Date());
    await test.service.auditChain.seal();
    expect(await checkAuditChain(database)).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/^sealed up to entry 2 \(\d.*Z\), 0 not sealed, not verified yet$/),
    });
    await insert(new Date(Date.now() - 120_000));
    expect(await checkAuditChain(database)).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('1 not sealed'),
    });
  });

  it('AUDIT_MAIL=off: verifies and sends no email', async () => {
    const quiet = await startTestService(engine, { settings: { AUDIT_MAIL: 'off' } });
    await quiet.createUser({ isAdministrator: true });
    await quiet.service.auditChain.report();
    expect(await quiet.emails()).toEqual([]);
    expect(await quiet.database.query(sql`select problem, mailed from private.audit_reports`)).toEqual([
      { problem: null, mailed: false },
    ]);
    await quiet.close();
  });
});
