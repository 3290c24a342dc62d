/** Migrations of several databases of one server at the same time: they share its roles. */
import { applyMigrations } from '@lanternrock/postgres/migrations';
import { onServer, openTestDatabase } from '@lanternrock/testing/engines';
import { expect, inject, it } from 'vitest';

it.each([
  ['grants', 'grant migrated_role to migrated_member'],
  ['changes', `alter role migrated_role connection limit 3`],
])('apply a file that %s the same role', async (_name, statement) => {
  const { superuserUrl } = inject('postgres');
  await onServer(superuserUrl, 'create role migrated_role; create role migrated_member');
  await onServer(
    superuserUrl,
    `grant migrated_role, migrated_member to ${new URL(inject('postgres').ownerUrl).username} with admin option`,
  );
  const tests = await Promise.all([1, 2, 3, 4].map(() => openTestDatabase('postgres', null)));
  // The transactions of the other databases start before the first one ends.
  const text = `${statement}; select pg_sleep(0.5)`;
  const migration = { name: 'platform/0001_roles.sql', text, checksum: 'x' };
  const applied = await Promise.allSettled(
    tests.map(({ database }) => applyMigrations(database, [migration])),
  );
  for (const { dispose } of tests) await dispose();
  await onServer(superuserUrl, 'drop role migrated_role; drop role migrated_member');
  expect(applied).toEqual(tests.map(() => ({ status: 'fulfilled', value: [migration.name] })));
});
