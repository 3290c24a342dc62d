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
    recorded('public.notification_settings', 'delete from public.notification_settings'),
    recorded(
      'private.invitations',
      `update private.invitations set send_count = 1 where id = '${ids.pending}'`,
      'owner',
    ),
    recorded(
      'private.account_suspensions',
      `insert into private.account_suspensions (id, reason) values (${account}, 'Unpaid')`,
      'owner',
    ),
    ...accountChangeCells(ids),
    ...(['profiles', 'notification_settings'] as const).map((table): Cell => ({
      name: `the update time of ${table}`,
      as: 'service',
      statement: `update public.${table} set created_at = now()`,
      after: `select bool_and(updated_at = now()) from public.${table}`,
      expected: `done ${{ profiles: 6, notification_settings: 1 }[table]} true`,
    })),
    {
      ...recorded('public.notification_settings', ''),
      name: 'a save of the settings without a change is not recorded',
      statement: `update public.notification_settings set sender_name = sender_name`,
      expected: 'done 1 0',
    },
    {
      name: 'a save of the settings without a change keeps its time',
      as: 'service',
      before: `create temporary table earlier on commit drop as select updated_at from public.notification_settings`,
      statement: `update public.notification_settings set sender_name = sender_name`,
      after: `select count(*) from public.notification_settings s, earlier e where s.updated_at <> e.updated_at`,
      expected: 'done 1 0',
    },
    ...(
      [
        [ids.admin, 'passkey_created', '1'],
        [ids.admin, 'factor_added', '1'],
        [ids.admin, 'login', '0'],
        [ids.member, 'passkey_created', '0'],
      ] as const
    ).map(([actor, action, count]): Cell => ({
      name: `${action} of ${actor === ids.admin ? 'an administrator' : 'a member'} in the Auth API`,
      as: 'owner',
      statement: `insert into auth.audit_log_entries (payload)
        values ('{"action": "${action}", "actor_id": "${actor}", "traits": {"name": "x"}}')`,
      after: `select count(*) from private.audit_log l
        where l.action = '${action}' and l.actor = '${actor}' and l.row_id = '${actor}' and l.after is null`,
      expected: `done 1 ${count}`,
    })),
    ...(
      [
        [ids.admin, '1'],
        [ids.member, '0'],
      ] as const
    ).map(([subject, count]): Cell => ({
      name: `a change of ${subject === ids.admin ? 'an administrator' : 'a member'} with the secret key`,
      as: 'owner',
      statement: `insert into auth.audit_log_entries (payload)
        values ('{"action": "user_modified", "actor_id": null, "traits": {"user_id": "${subject}", "changed": "email"}}')`,
      after: `select count(*) from private.audit_log l
        where l.actor is null and l.row_id = '${subject}' and l.action = 'user_modified' and l.after = '{"changed": "email"}'`,
      expected: `done 1 ${count}`,
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

/** Time and author of an account, and its status. */
function accountChangeCells(ids: Ids): Cell[] {
  const account = `'${ids.account}'`;
  const insertion = `insert into public.accounts (id, name, slug, account_type, status, updated_at, updated_by)
    values ('${ids.pending}', 'A', 'a', 'enterprise',`;
  const inserted = `where id = '${ids.pending}'`;
  const suspended = `${insertion} 'suspended', now(), null);
    insert into private.account_suspensions (id, reason) values ('${ids.pending}', 'Unpaid')`;
  const allowed: readonly string[] = [
    'active suspended',
    'suspended active',
    'active archived',
    'suspended archived',
    'archived active',
    'trial active',
  ];
  const words = ['active', 'suspended', 'archived', 'trial'];
  const transitions = words.flatMap((from) =>
    [...words, 'paused'].filter((to) => to !== from).map((to) => `${from} ${to}`),
  );
  return [
    {
      name: 'a change of an account has its time and author',
      as: 'platform admin',
      statement: `update public.accounts set city = 'Oslo' where id = ${account}`,
      after: `select concat_ws(' ', updated_at > now(), updated_by = '${ids.admin}') from public.accounts where id = ${account}`,
      expected: 'done 1 t t',
    },
    {
      name: 'the time of an account changes also if the clock goes back',
      as: 'service',
      before: `${insertion} 'active', now() + interval '1 day', null)`,
      statement: `update public.accounts set city = 'Oslo' ${inserted}`,
      after: `select updated_at > now() + interval '1 day' from public.accounts ${inserted}`,
      expected: 'done 1 true',
    },
    ...transitions.map((transition): Cell => {
      const [from = '', to = ''] = transition.split(' ');
      return {
        name: `an account goes from ${from} to ${to}`,
        as: 'service',
        before: `${insertion} '${from}', now(), null)`,
        statement: `update public.accounts set status = '${to}' ${inserted}`,
        expected: allowed.includes(transition) ? 'done 1' : '23514 accounts_status_transition',
      };
    }),
    {
      name: 'the reason of a suspension ends with it',
      as: 'service',
      before: suspended,
      statement: `update public.accounts set status = 'archived' ${inserted}`,
      after: 'select count(*) from private.account_suspensions',
      expected: 'done 1 0',
    },
    {
      name: 'the reason of a suspension stays with it',
      as: 'service',
      before: suspended,
      statement: `update public.accounts set city = 'Oslo' ${inserted}`,
      after: 'select count(*) from private.account_suspensions',
      expected: 'done 1 1',
    },
    {
      name: 'the deletion of a user does not update the account',
      as: 'owner',
      before: `${insertion} 'active', now(), '${ids.plain}')`,
      statement: `delete from auth.users where id = '${ids.plain}'`,
      after: `select concat_ws(' ', updated_by is null, updated_at > now()) from public.accounts ${inserted}`,
      expected: 'done 1 t f',
    },
    ...[`''`, `' x'`, `'a' || chr(10)`, `repeat('a', 501)`].map((value): Cell => ({
      name: `account_suspensions.reason = ${value}`,
      as: 'owner',
      statement: `insert into private.account_suspensions (id, reason) values (${account}, ${value})`,
      expected: '23514 account_suspensions_reason_check',
    })),
  ];
}
