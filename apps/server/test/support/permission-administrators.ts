/** Cells for roles that end, and for the second-factor requirement. */
import type { Cell, ids as fixtureIds } from './permission-probe.ts';

type Ids = typeof fixtureIds;

function administratorAccessCells(ids: Ids): Cell[] {
  const setEnd = (user: string, end: string): string =>
    `update public.user_roles set ends_at = ${end} where user_id = '${user}'`;
  const soon = `now() + interval '1 hour'`;
  const late = `now() + interval '9 days'`;
  const second = `insert into public.user_roles (user_id, role) values ('${ids.spare}', 'platform_admin')`;
  /** Names the acting user, as the transaction of a function does. */
  const actAs = (sub: string, aal = 'aal2'): string =>
    `select set_config('request.jwt.claims', '{"role": "authenticated", "sub": "${sub}", "aal": "${aal}"}', true)`;
  /** The probe sets the claims of the cell after `before`, so the statement sets those of the actor itself. */
  const acting = (sub: string, statement: string, aal?: string): string =>
    `with actor as materialized (${actAs(sub, aal)}), named as (select count(*) as n from actor)
     ${statement}`;
  const owner = 'owner' as const;
  /** @param values of `aal` and `passkey_aal2` */
  const passkeySession = (user: string, values: string): string =>
    `insert into auth.webauthn_credentials (id, user_id, credential_id, public_key)
       values ('${ids.spare}', '${user}', 'x', '');
     insert into auth.sessions (id, user_id, refresh_token_key, passkey_id, aal, passkey_aal2)
       values ('${ids.other}', '${user}', '', '${ids.spare}', ${values})`;
  const invitation = `update private.invitations set user_id = '${ids.spare}', status = 'pending', invited_by = '${ids.aal1}'
    where id = '${ids.pending}'`;
  return [
    {
      name: 'the only administrator without an end gets none',
      as: owner,
      statement: setEnd(ids.admin, soon),
      expected: '23514',
    },
    {
      name: 'one of two administrators without an end gets one',
      as: owner,
      before: second,
      statement: setEnd(ids.spare, soon),
      expected: 'done 1',
    },
    {
      name: 'an administrator with an end cannot stay alone',
      as: owner,
      before: `${second}; ${setEnd(ids.spare, soon)}`,
      statement: `delete from public.user_roles where user_id = '${ids.admin}'`,
      expected: '23514',
    },
    {
      name: 'an administrator with an end is banned',
      as: owner,
      statement: `update auth.users set banned_until = now() + interval '1 day' where id = '${ids.aal1}'`,
      expected: 'done 1',
    },
    {
      name: 'administrators do not change their own end',
      as: owner,
      statement: acting(ids.aal1, `${setEnd(ids.aal1, 'null')} and (select n from named) = 1`),
      expected: '42501 user_roles_role_end',
    },
    {
      name: 'another administrator changes the end',
      as: owner,
      statement: acting(ids.admin, `${setEnd(ids.aal1, late)} and (select n from named) = 1`),
      expected: 'done 1',
    },
    {
      name: 'an administrator whose role ends gives no longer one',
      as: owner,
      before: second,
      statement: acting(ids.aal1, `${setEnd(ids.ended, late)} and (select n from named) = 1`),
      expected: '42501 user_roles_role_end',
    },
    {
      name: 'a role from an administrator whose role ends, ends with it',
      as: owner,
      before: invitation,
      statement: `select private.accept_invitation('${ids.spare}')`,
      after: `select granted_by = '${ids.aal1}' and ends_at = (select ends_at from public.user_roles where user_id = '${ids.aal1}')
        from public.user_roles where user_id = '${ids.spare}'`,
      expected: 'done 1 true',
    },
    {
      name: 'the end of an inviter outlives their role',
      as: owner,
      before: `${invitation}; update private.invitations set role_ends_at = '2126-01-01Z' where id = '${ids.pending}';
        delete from public.user_roles where user_id = '${ids.aal1}'`,
      statement: `select private.accept_invitation('${ids.spare}')`,
      after: `select ends_at = '2126-01-01Z' from public.user_roles where user_id = '${ids.spare}'`,
      expected: 'done 1 true',
    },
    {
      name: 'an invitation replaces a role that has ended',
      as: owner,
      before: invitation.replace(ids.spare, ids.ended).replace(`'${ids.aal1}'`, 'null'),
      statement: `select private.accept_invitation('${ids.ended}')`,
      after: `select concat_ws(' ', count(*), bool_and(ends_at is null)) from public.user_roles where user_id = '${ids.ended}'`,
      expected: 'done 1 1 t',
    },
    {
      name: 'an extended role has an accepted invitation again',
      as: owner,
      before: `update private.invitations set user_id = '${ids.ended}', status = 'ended' where id = '${ids.pending}'`,
      statement: setEnd(ids.ended, soon),
      after: `select status from private.invitations where id = '${ids.pending}'`,
      expected: 'done 1 accepted',
    },
    {
      name: 'the end of a role ends its invitation',
      as: owner,
      before: `update private.invitations set user_id = '${ids.ended}', status = 'accepted' where id = '${ids.pending}'`,
      statement: 'select from private.end_roles()',
      after: `select status from private.invitations where id = '${ids.pending}'`,
      expected: 'done 0 ended',
    },
    ...(
      [
        [ids.admin, `'aal2'`, 'none'],
        [ids.admin, `'aal1'`, 'second_factor_required'],
        [ids.admin, 'null', 'second_factor_required'],
        [ids.aal1, `'aal2'`, 'second_factor_required'],
        [ids.ended, `'aal2'`, 'role_ended'],
        [ids.plain, `'aal2'`, 'not_platform_admin'],
      ] as const
    ).map(([user, level, denial]): Cell => ({
      name: `the rights of ${user} at ${level}`,
      as: owner,
      statement: 'select',
      after: `select coalesce(private.administrator_denial('${user}', ${level}), 'none')`,
      expected: `done 1 ${denial}`,
    })),
    ...(
      [
        ['a passkey with user verification', ids.aal1, `'aal2', true`, 'aal2', 'none'],
        ['a passkey at AAL1', ids.aal1, `'aal1', false`, 'aal2', 'second_factor_required'],
        [
          'a passkey without user verification, and a removed factor',
          ids.aal1,
          `'aal2', false`,
          'aal2',
          'second_factor_required',
        ],
        ['a passkey, with a token from before', ids.aal1, `'aal2', true`, 'aal1', 'second_factor_required'],
        ['a passkey of another user', ids.admin, `'aal2', true`, 'aal2', 'second_factor_required'],
        ['a lowered session', ids.aal1, `'aal1', true`, 'aal2', 'second_factor_required'],
      ] as const
    ).map(([session, user, values, level, denial]): Cell => ({
      name: `the rights in a session of ${session}`,
      as: owner,
      before: passkeySession(user, values),
      statement: `select set_config('request.jwt.claims',
        '{"role": "authenticated", "sub": "${ids.aal1}", "session_id": "${ids.other}", "aal": "${level}"}', true)`,
      after: `select coalesce(private.administrator_denial('${ids.aal1}', '${level}'), 'none')`,
      expected: `done 1 ${denial}`,
    })),
    {
      name: 'the requirement changes in a session of a passkey with user verification',
      as: owner,
      before: passkeySession(ids.aal1, `'aal2', true`),
      statement: acting(
        ids.aal1,
        `update private.second_factor_requirement set due_at = now() where (select n from named) = 1`,
        'aal2", "session_id": "' + ids.other,
      ),
      expected: 'done 1',
    },
    {
      name: 'without a requirement, AAL1 is sufficient',
      as: owner,
      before: 'delete from private.second_factor_requirement',
      statement: 'select',
      after: `select private.administrator_denial('${ids.aal1}', 'aal1') is null`,
      expected: 'done 1 true',
    },
    {
      name: 'within the grace period, AAL1 is sufficient',
      as: owner,
      before: `update private.second_factor_requirement set due_at = ${soon}`,
      statement: 'select',
      after: `select private.administrator_denial('${ids.aal1}', 'aal1') is null`,
      expected: 'done 1 true',
    },
    {
      name: 'the requirement is recorded',
      as: owner,
      before: `create temporary table earlier on commit drop as select count(*) as changes from private.audit_log`,
      statement: 'delete from private.second_factor_requirement',
      after: 'select count(*) - (select changes from earlier) from private.audit_log',
      expected: 'done 1 1',
    },
    ...(
      [
        [ids.admin, 'aal2', 'done 1'],
        [ids.admin, 'aal1', '42501 second_factor_requirement_own_factor'],
        [ids.aal1, 'aal2', '42501 second_factor_requirement_own_factor'],
      ] as const
    ).map(([sub, aal, expected]): Cell => ({
      name: `the requirement changes by ${sub} at ${aal}`,
      as: owner,
      statement: acting(
        sub,
        `update private.second_factor_requirement set due_at = now() where (select n from named) = 1`,
        aal,
      ),
      expected,
    })),
    {
      name: 'an anonymous change of the requirement, by the command line',
      as: owner,
      statement: 'update private.second_factor_requirement set due_at = now()',
      expected: 'done 1',
    },
  ];
}

/** Cells for new administrators, who cannot act on earlier ones. */
function seniorityCells(ids: Ids): Cell[] {
  /** The spare user is an administrator since an hour; the others were there before. */
  const young = `update public.user_roles set created_at = now() - interval '2 days';
    insert into public.user_roles (user_id, role, created_at)
      values ('${ids.spare}', 'platform_admin', now() - interval '1 hour');
    insert into auth.sessions (user_id, refresh_token_key)
      values ('${ids.admin}', ''), ('${ids.aal1}', ''), ('${ids.ended}', ''), ('${ids.spare}', '')`;
  const tooNew = '42501 administrator_seniority';
  /** Each acts on the earlier administrator: rights, factors, sessions. */
  const actsOnEarlier = [
    `delete from public.user_roles where user_id = '${ids.aal1}'`,
    `update public.user_roles set ends_at = now() where user_id = '${ids.aal1}'`,
    `update public.user_roles set ends_at = null where user_id = '${ids.ended}'`,
    `update public.user_roles set user_id = '${ids.plain}' where user_id = '${ids.aal1}'`,
    `update auth.users set banned_until = 'infinity' where id = '${ids.aal1}'`,
    `update auth.users set banned_until = 'infinity' where id = '${ids.ended}'`,
    `update auth.users set deleted_at = now() where id = '${ids.aal1}'`,
    `delete from auth.users where id = '${ids.aal1}'`,
    `delete from auth.mfa_factors where user_id = '${ids.admin}'`,
    `update auth.mfa_factors set status = 'unverified' where user_id = '${ids.admin}'`,
    `delete from auth.sessions where user_id = '${ids.admin}'`,
    `delete from auth.sessions where user_id = '${ids.aal1}'`,
    `delete from private.second_factor_requirement`,
  ];
  const actsOnOthers = [
    `update auth.users set banned_until = 'infinity' where id = '${ids.plain}'`,
    `delete from auth.sessions where user_id = '${ids.ended}'`,
    `delete from auth.sessions where user_id = '${ids.spare}'`,
    `insert into public.user_roles (user_id, role) values ('${ids.plain}', 'platform_admin')`,
  ];
  const bySpare = (statement: string): string =>
    `select set_config('request.jwt.claims', '{"role": "authenticated", "sub": "${ids.spare}", "aal": "aal2"}', true);
     ${statement}`;
  const removed = `delete from public.user_roles where user_id = '${ids.aal1}'`;
  const restore = `insert into public.user_roles (user_id, role) values ('${ids.aal1}', 'platform_admin')`;
  return [
    ...actsOnEarlier.map((statement): Cell => ({
      name: `a new administrator: ${statement}`,
      as: 'owner',
      before: young,
      statement: bySpare(statement),
      expected: tooNew,
    })),
    {
      name: 'a new administrator restores an earlier one',
      as: 'owner',
      before: `${young}; ${removed}`,
      statement: bySpare(restore),
      expected: tooNew,
    },
    {
      name: 'a new administrator acts on a restored one, whose role is newer',
      as: 'owner',
      before: `${young}; ${removed}; ${restore}`,
      statement: bySpare(removed),
      expected: tooNew,
    },
    ...actsOnOthers.map((statement): Cell => ({
      name: `a new administrator on others: ${statement}`,
      as: 'owner',
      before: young,
      statement: bySpare(statement),
      expected: 'done 1',
    })),
    {
      name: 'a new administrator acts on a newer one',
      as: 'owner',
      before: `${young}; update public.user_roles set created_at = now() where user_id = '${ids.aal1}'`,
      statement: bySpare(removed),
      expected: 'done 1',
    },
    {
      name: 'an administrator acts after 24 hours',
      as: 'owner',
      before: `${young}; update public.user_roles set created_at = now() - interval '24 hours' where user_id = '${ids.spare}'`,
      statement: bySpare(removed),
      expected: 'done 1',
    },
    {
      name: 'the command line acts on every administrator',
      as: 'owner',
      before: young,
      statement: removed,
      expected: 'done 1',
    },
  ];
}

export const administratorCells = (ids: Ids): Cell[] => [
  ...administratorAccessCells(ids),
  ...seniorityCells(ids),
];
