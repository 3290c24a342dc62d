/** Cells for the invariants of triggers: change records, timestamps, counts, the last administrator. */
import type { Cell, ids as fixtureIds } from './permission-probe.ts';

type Ids = typeof fixtureIds;

export function triggerCells(ids: Ids): Cell[] {
  const recorded = (table: string, statement: string, as: Cell['as'] = 'service'): Cell => ({
    name: `${statement} is recorded`,
    as,
    before: `create temporary table earlier on commit drop as select count(*) as changes from private.audit_log where table_name = '${table}'`,
    statement,
    after: `select count(*) - (select changes from earlier) from private.audit_log where table_name = '${table}'`,
    expected: 'done 1 1',
  });
  const account = `'${ids.account}'`;
  const secondAdministrator = `insert into public.user_roles (user_id, role) values ('${ids.spare}', 'platform_admin')`;
  return [
    recorded('public.accounts', `update public.accounts set city = 'Oslo' where id = ${account}`),
    recorded(
      'public.accounts',
      `insert into public.accounts (name, slug, account_type) values ('A', 'a', 'enterprise')`,
    ),
    recorded('public.profiles', `update public.profiles set full_name = 'A' where id = '${ids.spare}'`),
    recorded(
      'public.user_roles',
      `insert into public.user_roles (user_id, role) values ('${ids.spare}', 'platform_admin')`,
    ),
    recorded(
      'public.account_members',
      `update public.account_members set created_at = now() where user_id = '${ids.member}'`,
    ),
    recorded('public.notification_settings', `update public.notification_settings set sender_name = 'A'`),
    recorded(
      'private.invitations',
      `update private.invitations set send_count = 1 where id = '${ids.pending}'`,
      'owner',
    ),
    ...(['accounts', 'profiles', 'notification_settings'] as const).map((table): Cell => ({
      name: `the update time of ${table}`,
      as: 'service',
      statement: `update public.${table} set created_at = created_at`,
      after: `select bool_and(updated_at = now()) from public.${table}`,
      expected: `done ${{ accounts: 2, profiles: 4, notification_settings: 1 }[table]} true`,
    })),
    {
      name: 'a member count change does not update the account',
      as: 'service',
      statement: `update public.account_members set status = 'inactive' where user_id = '${ids.member}'`,
      after: `select concat_ws(' ', active_members, updated_at = now()) from public.accounts where id = ${account}`,
      expected: 'done 1 0 f',
    },
    {
      name: 'an accepted invitation takes the name of its user',
      as: 'service',
      before: `update private.invitations set user_id = '${ids.spare}', status = 'accepted' where id = '${ids.pending}'`,
      statement: `update public.profiles set full_name = 'Changed Person' where id = '${ids.spare}'`,
      after: `select full_name from private.invitations where id = '${ids.pending}'`,
      expected: 'done 1 Changed Person',
    },
    {
      name: 'the last administrator cannot be removed',
      as: 'service',
      statement: `delete from public.user_roles where user_id = '${ids.admin}'`,
      expected: '23514',
    },
    {
      name: 'the last administrator is not banned',
      as: 'owner',
      statement: `update auth.users set banned_until = now() + interval '1 day' where id = '${ids.admin}'`,
      expected: '23514',
    },
    {
      name: 'the last administrator is not deleted',
      as: 'owner',
      statement: `update auth.users set deleted_at = now() where id = '${ids.admin}'`,
      expected: '23514',
    },
    {
      name: 'an administrator keeps the role authenticated',
      as: 'owner',
      statement: `update auth.users set role = 'other' where id = '${ids.admin}'`,
      expected: '23514',
    },
    {
      name: 'a second administrator can be banned',
      as: 'owner',
      before: secondAdministrator,
      statement: `update auth.users set banned_until = now() + interval '1 day' where id = '${ids.spare}'`,
      expected: 'done 1',
    },
    {
      name: 'a user without the role can be banned and get another database role',
      as: 'owner',
      statement: `update auth.users set banned_until = now() + interval '1 day', role = 'other' where id = '${ids.spare}'`,
      expected: 'done 1',
    },
    {
      name: 'a deleted user loses the roles',
      as: 'owner',
      before: secondAdministrator,
      statement: `update auth.users set deleted_at = now() where id = '${ids.spare}'`,
      after: `select count(*) from public.user_roles where user_id = '${ids.spare}'`,
      expected: 'done 1 0',
    },
    {
      name: 'only one settings row exists',
      as: 'service',
      statement: `insert into public.notification_settings (sender_email, sender_name) values ('a@example.org', 'A')`,
      expected: '23505',
    },
    {
      name: 'an invitation inserted by SQL is normalized',
      as: 'owner',
      statement: `insert into public.user_invitations (full_name, email) values ('Third Person', ' Third@Example.org')`,
      expected: 'done 1',
    },
    {
      name: 'the service role cannot set the status of an invitation',
      as: 'service',
      statement: `update public.user_invitations set status = 'accepted'`,
      expected: 'grant',
    },
    {
      name: 'no role can change an invitation through the view',
      as: 'owner',
      statement: `delete from public.user_invitations`,
      expected: '42501',
    },
    {
      name: 'a new user has a profile',
      as: 'owner',
      statement: `insert into auth.users (id, email) values ('${ids.pending}', 'fresh@example.org')`,
      after: `select count(*) from public.profiles where id = '${ids.pending}'`,
      expected: 'done 1 1',
    },
  ];
}
