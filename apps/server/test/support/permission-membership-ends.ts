/** Cells of the end date of a membership: what it gives before and after, who changes it, and the settled state. */
import type { Cell, ids as fixtureIds } from './permission-probe.ts';

type Ids = typeof fixtureIds;

const owner = 'owner' as const;
const soon = `now() + interval '1 second'`;
const past = `now() - interval '1 second'`;

/** Returns the revoked sessions. */
const settle = 'select from private.end_memberships() e, jsonb_array_elements(e.sessions)';

/** The tables that a member reads by the membership. */
const readable = ['accounts', 'account_contacts', 'account_members'] as const;

export function membershipEndCells(ids: Ids): Cell[] {
  const setEnd = (end: string, user: string = ids.member): string =>
    `update public.account_members set ends_at = ${end} where user_id = '${user}'`;
  /** The probe sets the claims of the cell after `before`, so the statement sets those of the actor itself. */
  const acting = (sub: string, statement: string): string =>
    `with actor as materialized (select set_config('request.jwt.claims', '{"role": "authenticated", "sub": "${sub}"}', true)),
       named as (select count(*) as n from actor) ${statement} and (select n from named) = 1`;
  const own = `update public.account_members set user_id = '${ids.admin}' where user_id = '${ids.member}'`;
  const removal = `delete from public.account_members where user_id = '${ids.admin}'`;
  const state = `select m.status || ' ' || a.active_members from public.account_members m
    join public.accounts a on a.id = m.account_id where m.user_id = '${ids.member}'`;
  return [
    ...readable.flatMap((table) =>
      (
        [
          ['before the end', soon, '1'],
          ['at the end', 'now()', '0'],
          ['after the end', past, '0'],
        ] as const
      ).map(([name, end, rows]): Cell => ({
        name: `a member reads ${table} ${name}`,
        as: 'member',
        before: setEnd(end),
        statement: `select from public.${table}`,
        expected: `done ${rows}`,
      })),
    ),
    ...(['member', 'platform admin'] as const).map((as): Cell => ({
      name: `the end of a membership as ${as} without a function`,
      as,
      statement: 'update public.account_members set ends_at = null',
      expected: 'grant',
    })),
    {
      name: 'the end of a membership as the service',
      as: 'service',
      statement: setEnd(soon),
      expected: 'done 1',
    },
    {
      name: 'the end of a membership is recorded',
      as: 'service',
      statement: setEnd(`'2126-01-01Z'`),
      after: `select before ->> 'ends_at' is null and (after ->> 'ends_at')::timestamptz = '2126-01-01Z'
        from private.audit_log where table_name = 'public.account_members' order by id desc limit 1`,
      expected: 'done 1 true',
    },
    {
      name: 'another administrator changes the end of a membership',
      as: owner,
      statement: acting(ids.admin, setEnd(soon)),
      expected: 'done 1',
    },
    ...['null', soon].map((end): Cell => ({
      name: `nobody changes the end of their own membership to ${end}`,
      as: owner,
      before: `${own}; ${setEnd(`'2126-01-01Z'`, ids.admin)}`,
      statement: acting(ids.admin, setEnd(end, ids.admin)),
      expected: '42501 account_members_own_end',
    })),
    {
      name: 'nobody sets an end of their own membership',
      as: owner,
      before: own,
      statement: acting(ids.admin, setEnd(soon, ids.admin)),
      expected: '42501 account_members_own_end',
    },
    {
      name: 'nobody removes their own membership with an end',
      as: owner,
      before: `${own}; ${setEnd(soon, ids.admin)}`,
      statement: acting(ids.admin, removal),
      expected: '42501 account_members_own_end',
    },
    {
      name: 'an administrator removes their own membership without an end',
      as: owner,
      before: own,
      statement: acting(ids.admin, removal),
      expected: 'done 1',
    },
    {
      name: 'an administrator removes a membership with an end',
      as: owner,
      before: setEnd(soon),
      statement: acting(ids.admin, `delete from public.account_members where user_id = '${ids.member}'`),
      expected: 'done 1',
    },
    {
      name: 'an administrator suspends their own membership with an end',
      as: owner,
      before: `${own}; ${setEnd(soon, ids.admin)}`,
      statement: acting(
        ids.admin,
        `update public.account_members set status = 'suspended' where user_id = '${ids.admin}'`,
      ),
      expected: 'done 1',
    },
    ...(
      [
        ['an active membership that has ended', setEnd(past), 'ended 0'],
        ['an active membership at its end', setEnd('now()'), 'ended 0'],
        ['an active membership before its end', setEnd(soon), 'active 1'],
        [
          'a suspended membership that has ended',
          `${setEnd(past)}; update public.account_members set status = 'suspended'`,
          'suspended 0',
        ],
      ] as const
    ).map(([name, before, expected]): Cell => ({
      name: `the settled state of ${name}`,
      as: owner,
      before,
      statement: settle,
      after: state,
      expected: `done 0 ${expected}`,
    })),
    ...(
      [
        ['a later end', setEnd(soon), 'active 1'],
        ['no end', setEnd('null'), 'active 1'],
        ['an earlier end', setEnd(`${past} - interval '1 day'`), 'ended 0'],
        ['another date of the same end', `update public.account_members set created_at = now()`, 'ended 0'],
      ] as const
    ).map(([name, statement, expected]): Cell => ({
      name: `an ended membership with ${name}`,
      as: 'service',
      before: `${setEnd(past)}; select from private.end_memberships()`,
      statement,
      after: state,
      expected: `done ${statement.includes('where') ? 1 : 2} ${expected}`,
    })),
    {
      name: 'a status of a membership without an end can be ended',
      as: 'service',
      before: `update public.account_members set status = 'ended', ends_at = ${soon}`,
      statement: `update public.account_members set created_at = now() where user_id = '${ids.member}'`,
      after: state,
      expected: 'done 1 ended 0',
    },
    {
      name: 'a suspended membership with a later end stays suspended',
      as: 'service',
      before: `update public.account_members set status = 'suspended', ends_at = ${past}`,
      statement: setEnd(soon),
      after: state,
      expected: 'done 1 suspended 0',
    },
    ...givenCells(ids, { setEnd, acting }),
    ...sessionCells(ids, setEnd),
  ];
}

interface Statements {
  readonly setEnd: (end: string, user?: string) => string;
  readonly acting: (sub: string, statement: string) => string;
}

/** What an administrator whose role ends (`aal1`) gives: no membership that outlasts it. */
function givenCells(ids: Ids, { setEnd, acting }: Statements): Cell[] {
  const roleEnd = `(select ends_at from public.user_roles where user_id = '${ids.aal1}')`;
  const later = `${roleEnd} + interval '1 second'`;
  const add = (user: string, end: string): string =>
    `insert into public.account_members (account_id, user_id, ends_at)
       select '${ids.account}', '${user}', ${end} where true`;
  const invited = `insert into private.member_invitations (account_id, email, full_name)
    values ('${ids.account}', 'pending@example.org', 'Pending')`;
  const outlasts = '42501 account_members_role_end';
  return [
    ...(
      [
        ['without an end', 'null::timestamptz', outlasts],
        ['after it', later, outlasts],
        ['at it', roleEnd, 'done 1'],
        ['before it', soon, 'done 1'],
      ] as const
    ).flatMap(([name, end, expected]): Cell[] => [
      {
        name: `an administrator whose role ends adds their own membership: ${name}`,
        as: owner,
        statement: acting(ids.aal1, add(ids.aal1, end)),
        expected,
      },
      {
        name: `an administrator whose role ends adds a member: ${name}`,
        as: owner,
        statement: acting(ids.aal1, add(ids.plain, end)),
        expected,
      },
      {
        name: `an administrator whose role ends changes the end of a membership: ${name}`,
        as: owner,
        before: setEnd(`now() + interval '1 minute'`),
        statement: acting(ids.aal1, setEnd(end)),
        expected,
      },
      {
        name: `an administrator whose role ends invites a member: ${name}`,
        as: owner,
        statement: acting(
          ids.aal1,
          `insert into private.member_invitations (account_id, email, full_name, membership_ends_at)
             select '${ids.account}', 'pending@example.org', 'Pending', ${end} where true`,
        ),
        expected,
      },
      {
        name: `an administrator whose role ends extends an invitation: ${name}`,
        as: owner,
        before: `${invited}; update private.member_invitations set membership_ends_at = ${end}`,
        statement: acting(
          ids.aal1,
          `update private.member_invitations set expires_at = now() where email = 'pending@example.org'`,
        ),
        expected,
      },
    ]),
    {
      name: 'an administrator whose role ends revokes an invitation without an end',
      as: owner,
      before: invited,
      statement: acting(
        ids.aal1,
        `update private.member_invitations set status = 'revoked' where email = 'pending@example.org'`,
      ),
      expected: 'done 1',
    },
    {
      name: 'an administrator without an end adds a member without one',
      as: owner,
      statement: acting(ids.admin, add(ids.plain, 'null')),
      expected: 'done 1',
    },
    {
      name: 'an undo restores a membership without an end',
      as: owner,
      before: `set local request.undoes = '1'`,
      statement: acting(ids.aal1, add(ids.plain, 'null')),
      expected: 'done 1',
    },
    {
      name: 'the end of a membership is no infinite time',
      as: 'service',
      statement: setEnd(`'infinity'`),
      expected: '23514 account_members_ends_at_check',
    },
    {
      name: 'the end of an invited membership is no infinite time',
      as: owner,
      before: invited,
      statement: `update private.member_invitations set membership_ends_at = '-infinity'`,
      expected: '23514 member_invitations_membership_ends_at_check',
    },
  ];
}

/** The sessions that the settled state leaves. */
function sessionCells(ids: Ids, setEnd: (end: string, user?: string) => string): Cell[] {
  const signIn = (
    created: string,
  ): string => `insert into auth.sessions (user_id, refresh_token_key, created_at)
    values ('${ids.member}', '', ${created}), ('${ids.spare}', '', ${created})`;
  const earlier = signIn(`now() - interval '1 hour'`);
  const second = (status: string): string =>
    `insert into public.account_members (account_id, user_id, status) values ('${ids.other}', '${ids.member}', '${status}')`;
  const role = `insert into public.user_roles (user_id, role) values ('${ids.member}', 'platform_admin')`;
  return (
    [
      ['a member whose only membership has ended', `${earlier}; ${setEnd(past)}`, 0],
      ['a member before the end', `${earlier}; ${setEnd(soon)}`, 1],
      ['a member who signed in after the end', `${signIn('now()')}; ${setEnd(past)}`, 1],
      ['a member of another account', `${earlier}; ${setEnd(past)}; ${second('active')}`, 1],
      ['a suspended member of another account', `${earlier}; ${setEnd(past)}; ${second('suspended')}`, 0],
      ['a member whose memberships have all ended', `${earlier}; ${second('active')}; ${setEnd(past)}`, 0],
      [
        'a member of another account that is suspended',
        `${earlier}; ${setEnd(past)}; ${second('active')};
         update public.accounts set status = 'suspended' where id = '${ids.other}'`,
        0,
      ],
      ['an administrator whose membership has ended', `${earlier}; ${setEnd(past)}; ${role}`, 1],
      [
        'a former administrator whose membership has ended',
        `${earlier}; ${setEnd(past)}; ${role}; update public.user_roles set ends_at = now() where user_id = '${ids.member}'`,
        0,
      ],
    ] as const
  ).map(([name, before, sessions]): Cell => ({
    name: `the session of ${name}`,
    as: owner,
    before,
    statement: settle,
    after: `select count(*) filter (where user_id = '${ids.member}') || ' ' || count(*) filter (where user_id = '${ids.spare}')
      from auth.sessions`,
    expected: `done ${1 - sessions} ${sessions} 1`,
  }));
}
