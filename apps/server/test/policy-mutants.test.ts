/**
 * Mutation test of the permission probe: breaks every policy, grant, check, key and trigger of the catalog
 * once and expects at least one wrong cell each time.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '@lanternrock/postgres';
import { openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';
import { catalogMutants, manualMutants } from './support/permission-mutants.ts';
import { cellCount, prepareProbe, wrongCells } from './support/permission-probe.ts';

class Undo extends Error {}

/**
 * Runs `statement` in a transaction that is rolled back.
 * @returns the wrong cells while it applies
 */
async function probe(database: Database, statement: string, only: 'all' | 'first'): Promise<string[]> {
  let wrong: string[] = [];
  await database
    .transaction(async (tx) => {
      await database.script(tx, statement);
      wrong = await wrongCells(tx, only);
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo))
        throw new Error(`The mutant does not run: ${statement}`, { cause: error });
    });
  return wrong;
}

/** Mutants without an observable effect, each with its reason. */
const invokerRights =
  'the view and its trigger access the invitations with the permissions of the invoker, which has none';
const invokerReads = 'the function reads auth.users with the permissions of the invoker, which has none';
const invokerAccounts = 'the function reads the accounts with the permissions of the invoker';
const invokerReferences =
  'the function reads the tables that reference accounts with the permissions of the invoker, which has none';
const noGrant = 'no role except the owner has a grant';
const joined = 'no role can change a view of several tables';
const slower = 'read_accounts returns the same rows to an administrator, only slower';
const harmless: Readonly<Record<string, string>> = {
  'grant select on public.user_invitations to anon': invokerRights,
  'grant update on public.user_invitations to anon': invokerRights,
  'grant delete on public.user_invitations to anon': invokerRights,
  'grant insert on public.user_invitations to anon': invokerRights,
  'grant insert on public.user_invitations to authenticated': invokerRights,
  'grant insert on public.user_invitations to service_role': invokerRights,
  'grant insert on private.active_administrators to authenticated': joined,
  'grant insert on private.active_administrators to service_role': joined,
  'grant update on private.active_administrators to authenticated': joined,
  'grant update on private.active_administrators to service_role': joined,
  'grant delete on private.active_administrators to authenticated': joined,
  'grant delete on private.active_administrators to service_role': joined,
  'grant execute on function private.require_other_platform_admin(uuid) to authenticated': invokerReads,
  'grant execute on function private.require_other_platform_admin(uuid) to service_role': invokerReads,
  'grant execute on function private.similar_accounts(text) to authenticated': invokerAccounts,
  'grant execute on function private.similar_accounts(text) to service_role': invokerAccounts,
  'grant execute on function private.referenced_accounts(uuid[]) to authenticated': invokerReferences,
  'grant execute on function private.referenced_accounts(uuid[]) to service_role': invokerReferences,
  'alter table private.account_imports disable row level security': noGrant,
  'alter table private.account_suspensions disable row level security': noGrant,
  'alter table private.imported_accounts disable row level security': noGrant,
  'alter table private.deliveries disable row level security': noGrant,
  'alter table private.invitation_tokens disable row level security': noGrant,
  'alter table private.invitation_openings disable row level security': noGrant,
  'alter table private.member_invitations disable row level security': noGrant,
  'alter table private.member_invitation_tokens disable row level security': noGrant,
  'alter table private.request_keys disable row level security': noGrant,
  'alter table private.second_factor_requirement disable row level security': noGrant,
  'alter table private.former_administrators disable row level security': noGrant,
  'alter table private.handover_visits disable row level security': noGrant,
  'alter table private.service_settings disable row level security': noGrant,
  'alter table private.demonstration disable row level security': noGrant,
  'alter table private.backup_state disable row level security': noGrant,
  'drop policy administrators_read_accounts on public.accounts': slower,
  'alter policy service on public.user_roles to service_role': 'the owner is a member of service_role',
};

describe('policy mutants', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase('postgres');
    await prepareProbe(test.database);
  });
  afterAll(async () => test.dispose());

  it('the probe finds no wrong cell in the unchanged schema', { tags: ['RLS-01'] }, async () => {
    expect(await probe(test.database, 'select 1', 'all')).toEqual([]);
  });

  it('every mutant is detected', { tags: ['RLS-01', 'RLS-02', 'RLS-03'], timeout: 300_000 }, async () => {
    const listed = await test.database.query<{ text: string }>({ text: catalogMutants, values: [] });
    const mutants = [...manualMutants, ...listed.map(({ text }) => text)];
    expect(mutants.length).toBeGreaterThan(150);
    const survivors: string[] = [];
    for (const mutant of mutants) {
      if ((await probe(test.database, mutant, 'first')).length === 0) survivors.push(mutant);
    }
    console.log(`${cellCount} cells, ${mutants.length} mutants, ${survivors.length} of them harmless`);
    expect(
      survivors.toSorted(),
      'statements that no cell of permissions.ts and permission-rules.ts detects',
    ).toEqual(Object.keys(harmless).toSorted());
  });
});
