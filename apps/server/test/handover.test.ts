/** The functions of the handover page: what changed since the last visit, and the printed sheet. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { maxGroupCount } from '@lanternrock/contract/activity-limits';
import type { HandoverResponse, HandoverSheetResponse } from '@lanternrock/contract/handover';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { asService } from '../src/administrators/email-action.ts';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';

const minute = 60_000;
const names = ['handover', 'confirm-handover', 'handover-sheet'];

eachEngine('handover', (engine) => {
  let fixture: AdminFixture;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(async () => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    await fixture.database.maintenance((tx) =>
      fixture.database.script(
        tx,
        'truncate private.audit_log; truncate private.handover_visits; truncate public.accounts cascade',
      ),
    );
  });

  const read = async (body: object = {}, as = fixture.admin): Promise<HandoverResponse> => {
    const response = await fixture.call(body, as, {}, 'handover');
    expect(response.status).toBe(200);
    return (await response.json()) as HandoverResponse;
  };
  const confirm = async (until: string, as = fixture.admin): Promise<void> => {
    expect((await fixture.call({ until }, as, {}, 'confirm-handover')).status).toBe(200);
  };
  const createAccount = async (name: string): Promise<string> => {
    const [row] = await fixture.database.query<{ id: string }>(
      sql`insert into public.accounts (name, slug, account_type) values (${name}, 'a', 'enterprise') returning id`,
    );
    return row?.id ?? '';
  };
  const accounts = ({ accounts: { items } }: HandoverResponse): (string | null)[] =>
    items.map((item) => item.record_name);
  const pass = (minutes: number): void => {
    fixture.clock.ahead += minutes * minute;
  };

  it('lists accounts, invitations and settings with who and when', async () => {
    const id = await createAccount('Alpine Rescue');
    await fixture.database.query(sql`update public.accounts set city = 'Bern' where id = ${id}`);
    await fixture.database.query(
      sql`insert into public.notification_settings (sender_email, sender_name) values ('a@example.org', 'Alpine')`,
    );
    const sent = await fixture.call({ email: 'ann@example.org', full_name: 'Ann Lee' }, fixture.admin);
    expect(sent.status).toBe(200);
    await fixture.database.query(
      sql`insert into private.invitations (email, full_name, status, accepted_at, expires_at)
          values ('bo@example.org', 'Bo Ek', 'accepted', now(), now() + interval '1 hour'),
                 ('soon@example.org', 'Eve Soon', 'pending', null, now() + interval '5 hours')`,
    );
    await fixture.database.query(
      sql`insert into private.deliveries (id, kind, recipient, invitation_id, status, due_at, finished_at)
          select gen_random_uuid(), 'invitation', email, id, 'refused', now(), now() from private.invitations
          where email = 'soon@example.org'`,
    );
    await fixture.database.query(
      sql`insert into private.deliveries (id, kind, recipient, invitation_id, status, answer, tries, due_at, finished_at, inviter_kind)
          select gen_random_uuid(), 'invitation', email, id, d.status, d.answer, 5,
              now() + interval '1 hour',
              case when d.status <> 'waiting' then now() end, d.inviter_kind
            from private.invitations,
            (values ('handed_over', null, null), ('refused', 'The invitation was revoked.', null),
                    ('refused', '450 Later - A newer email replaced this one.', null),
                    ('refused', 'A shared link replaced this email.', null),
                    ('refused', 'The invitation is no longer pending.', null),
                    ('handed_over', '250 OK', 'recipient'), ('waiting', '450 Later', 'command_line'),
                    ('timed_out', 'The service stopped.', 'administrator')) d (status, answer, inviter_kind)
          where email = 'bo@example.org'`,
    );
    await fixture.database.query(
      sql`update private.invitations set status = 'revoked' where email = 'ann@example.org'`,
    );
    await fixture.invitations.createLink({
      authorize: asService,
      email: 'link@example.org',
      fullName: 'By Link',
    });
    const result = await read();
    expect(result.accounts).toMatchObject({
      more: false,
      items: [
        { action: 'UPDATE', record_name: 'Alpine Rescue', changes: [{ field: 'city', after: 'Bern' }] },
        { action: 'INSERT', record_name: 'Alpine Rescue' },
      ],
    });
    expect(result.settings.items).toMatchObject([{ action: 'INSERT', record_name: 'Alpine' }]);
    const events = result.invitations.items.map(({ event, email, actor }) => `${event} ${email} ${actor}`);
    expect(events[0]).toBe('expires soon@example.org null');
    expect(events.toSorted()).toEqual([
      'accepted bo@example.org Bo Ek',
      'captured ann@example.org administrator@example.org',
      'expires soon@example.org null',
      'failed soon@example.org null',
      'link link@example.org null',
      'queued bo@example.org command line',
      'revoked ann@example.org null',
      'sent bo@example.org Bo Ek',
      'sent bo@example.org null',
      'unconfirmed bo@example.org null',
    ]);
  });

  it('names an inviter as they are named now', async () => {
    const rename = (name: string | null): Promise<unknown> =>
      fixture.database.query(sql`update public.profiles set full_name = ${name} where id = ${fixture.admin}`);
    await rename('Ann Old');
    const sent = await fixture.call({ email: 'bo@example.org', full_name: 'Bo Ek' }, fixture.admin);
    expect(sent.status).toBe(200);
    await rename('Ann New');
    const { items } = (await read()).invitations;
    expect(items).toMatchObject([{ event: 'captured', actor: 'Ann New' }]);
    await rename(null);
  });

  it('lists an import of 2,000 accounts as one action', async () => {
    const importId = randomUUID();
    for (let first = 0; first < 2000; first += 500) {
      const rows = Array.from({ length: 500 }, (_, index) => ({
        line: first + index + 2,
        name: `Account ${first + index}`,
        account_type: 'enterprise',
      }));
      const body = { dry_run: false, import_id: importId, rows };
      expect((await fixture.call(body, fixture.admin, {}, 'import-accounts')).status).toBe(200);
    }
    const { items, more } = (await read()).accounts;
    expect(more).toBe(false);
    expect(items).toMatchObject([{ action: 'imported', count: maxGroupCount }]);
    expect(items[0]?.changes).toContainEqual({ field: 'total_created', before: null, after: '2000' });
  });

  it('names the reason of a suspension, and not its removal', async () => {
    const id = await createAccount('Paused Patrol');
    const { updated_at } = (
      await fixture.database.query<{ updated_at: string }>(
        sql`select to_json(updated_at) #>> '{}' as updated_at from public.accounts where id = ${id}`,
      )
    )[0] ?? { updated_at: '' };
    const suspended = await fixture.call(
      { account_id: id, updated_at, status: 'suspended', reason: 'Unpaid' },
      fixture.admin,
      {},
      'set-account-status',
    );
    expect(suspended.status).toBe(200);
    await fixture.database.query(sql`update public.accounts set status = 'active' where id = ${id}`);
    const { items } = (await read()).accounts;
    const reasons = items.filter(({ table_name: table }) => table === 'private.account_suspensions');
    expect(reasons).toMatchObject([{ action: 'INSERT' }]);
    expect(reasons[0]?.changes).toContainEqual({ field: 'reason', before: null, after: 'Unpaid' });
  });

  it('starts at the last visit, which only a confirmation moves', async () => {
    await createAccount('First');
    const first = await read();
    expect(first.last_visit).toBeNull();
    expect(accounts(first)).toEqual(['First']);
    pass(60);
    // Read, and left without a confirmation.
    expect(accounts(await read())).toEqual(['First']);
    await confirm((await read()).until);
    // A reload and a second tab of the same visit show the same list.
    expect(accounts(await read())).toEqual(['First']);
    pass(60);
    const next = await read();
    expect(accounts(next)).toEqual([]);
    expect(next.last_visit).toBe(next.since);
    expect(accounts(await read({ since: first.since }))).toEqual(['First']);
  });

  it('starts at the previous visit when the administrator comes back after ten minutes', async () => {
    await createAccount('First');
    const first = await read();
    await confirm(first.until);
    pass(9);
    // The same visit, and still the first one.
    const same = await read();
    expect([same.last_visit, accounts(same)]).toEqual([null, ['First']]);
    await confirm(same.until);
    pass(10);
    const back = await read();
    expect(back.since).toBe(new Date(Date.parse(same.until) - minute).toISOString());
    expect([back.last_visit, accounts(back)]).toEqual([back.since, []]);
    await confirm(back.until);
    // Visits in quick succession show the same period, and the next one starts after them.
    let { until } = back;
    for (let visit = 0; visit < 3; visit += 1) {
      pass(1);
      const again = await read();
      expect(again.since).toBe(back.since);
      ({ until } = again);
      await confirm(until);
    }
    pass(10);
    expect((await read()).since).toBe(new Date(Date.parse(until) - minute).toISOString());
  });

  it('loses no change between two tabs in any order', async () => {
    const early = await read();
    pass(5);
    const late = await read();
    await confirm(late.until);
    // The older tab is confirmed later, and a confirmation of the future counts as the present.
    await confirm(early.until);
    pass(120);
    expect((await read()).since).toBe(new Date(Date.parse(late.until) - minute).toISOString());
    await confirm(new Date(Date.now() + 365 * 24 * 60 * minute).toISOString());
    pass(120);
    const { since, until } = await read();
    expect(Date.parse(until) - Date.parse(since)).toBeGreaterThanOrEqual(120 * minute);
  });

  it('keeps the visits of administrators apart', async () => {
    const other = await fixture.createUser({ administrator: true });
    await createAccount('First');
    pass(2);
    await confirm((await read()).until);
    pass(60);
    expect(accounts(await read())).toEqual([]);
    expect(accounts(await read({}, other))).toEqual(['First']);
  });

  it('limits a section and says that there is more', async () => {
    await fixture.database.query(
      sql`insert into public.accounts (name, slug, account_type)
          select 'Account ' || n, 'a' || n, 'enterprise' from generate_series(1, 201) n`,
    );
    const { accounts: section } = await read();
    expect([section.items.length, section.more]).toEqual([200, true]);
  });

  it('lists the newest events also if many invitations expire soon, the next one first', async () => {
    await fixture.database.query(
      sql`insert into private.invitations (email, full_name, expires_at)
          select 'p' || n || '@example.org', 'Person ' || n, now() + interval '1 hour' + n * interval '1 minute'
            from generate_series(1, 201) n`,
    );
    await fixture.database.query(
      sql`insert into private.invitations (email, full_name, status, accepted_at, expires_at)
          values ('bo@example.org', 'Bo Ek', 'accepted', now(), now())`,
    );
    const { items, more } = (await read()).invitations;
    expect(more).toBe(true);
    expect(items.map(({ event, email }) => `${event} ${email}`)).toEqual([
      ...Array.from({ length: 200 }, (_, index) => `expires p${index + 1}@example.org`),
      'accepted bo@example.org',
    ]);
  });

  it('the sheet has administrators and sender, without secrets', async () => {
    await fixture.createUser({ administrator: true, email: 'banned@example.org' });
    await fixture.database.query(
      sql`update auth.users set banned_until = now() + interval '1 year' where email = 'banned@example.org'`,
    );
    await fixture.database.query(
      sql`insert into public.notification_settings (sender_email, sender_name) values ('a@example.org', 'Alpine')`,
    );
    const response = await fixture.call({}, fixture.admin, {}, 'handover-sheet');
    expect((await response.json()) as HandoverSheetResponse).toEqual({
      administrators: [
        { name: null, email: 'administrator@example.org', phone: null, phone_text: null, ends_at: null },
      ],
      sender: { name: 'Alpine', email: 'a@example.org' },
    });
  });

  it('rejects other users and invalid times, and changes nothing', async () => {
    const member = await fixture.createUser();
    for (const name of names) {
      const body = { until: new Date().toISOString() };
      expect((await fixture.call(body, undefined, {}, name)).status).toBe(401);
      expect((await fixture.call(body, member, {}, name)).status).toBe(403);
    }
    expect((await fixture.call({ since: 'yesterday' }, fixture.admin, {}, 'handover')).status).toBe(400);
    expect((await fixture.call({}, fixture.admin, {}, 'confirm-handover')).status).toBe(400);
    expect(await fixture.database.query(sql`select from private.handover_visits`)).toEqual([]);
  });
});
