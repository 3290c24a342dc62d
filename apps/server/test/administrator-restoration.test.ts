/** The removal that a restoration names, on a server with several connections. */
import { sql } from '@lanternrock/postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeAdministrator, restoreAdministrator } from '../src/administrators/administrators.ts';
import { asService } from '../src/administrators/email-action.ts';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';

let fixture: AdminFixture;
beforeAll(async () => {
  fixture = await openAdminFixture('postgres');
});
afterAll(() => fixture.close());

it('a restoration that began before a removal undoes that removal, not an earlier one', async () => {
  const email = 'bo@example.org';
  const bo = await fixture.createUser({ email, administrator: true });
  await fixture.database.query(sql`insert into private.invitations (email, full_name, user_id, status)
    values (${email}, 'Bo', ${bo}, 'accepted')`);
  const { database } = fixture;
  const remove = () => removeAdministrator(database, { email, authorize: asService });
  await remove();
  await restoreAdministrator(database, { email, authorize: asService });
  // The removal begins and ends after the start of the transaction of the restoration.
  await restoreAdministrator(database, { email, authorize: remove });
  const removals = await database.query<{ id: string }>(
    sql`select id::text from private.audit_log
        where table_name = 'public.user_roles' and action = 'DELETE' and before ->> 'user_id' = ${bo} order by id`,
  );
  const undone = await database.query(
    sql`select undoes::text as id from private.audit_log
        where table_name = 'public.user_roles' and action = 'INSERT' and undoes is not null order by id`,
  );
  expect(removals).toHaveLength(2);
  expect(undone).toEqual(removals);
});
