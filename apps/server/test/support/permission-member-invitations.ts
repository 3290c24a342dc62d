/** Cells of invitations of members: values that the checks reject, and what an acceptance gives. */
import type { Cell, ids as fixtureIds } from './permission-probe.ts';

type Ids = typeof fixtureIds;

const long = (length: number): string => `repeat('a', ${length})`;
const invited = '00000000-0000-4000-8000-0000000000e1';
const owner = 'owner' as const;

/** An invitation of a user to the account of the member. */
const invite = (ids: Ids, user: string = ids.plain): string =>
  `insert into private.member_invitations (id, account_id, email, full_name, user_id, invited_by)
     values ('${invited}', '${ids.account}', 'new@example.org', 'New Person', '${user}', '${ids.admin}')`;

function valueCells(ids: Ids): Cell[] {
  return [
    ...(
      [
        ['email', `'Upper@example.org'`, 'check'],
        ['full_name', `'a'`, 'check'],
        ['full_name', `'a' || chr(8238) || 'b'`, 'turns_no_text'],
        ['full_name', `repeat(chr(8203), 3)`, 'is_visible'],
        ['status', `'removed'`, 'check'],
        ['send_count', '-1', 'check'],
        ['note', `''`, 'check'],
        ['note', long(501), 'check'],
        ['note', `'a' || chr(8238) || 'b'`, 'turns_no_text'],
        ['term_seconds', '3599', 'check'],
        ['term_seconds', '2592001', 'check'],
      ] as const
    ).map(([column, value, rule]): Cell => ({
      name: `member_invitations.${column} = ${value}`,
      as: owner,
      before: invite(ids),
      statement: `update private.member_invitations set ${column} = ${value} where id = '${invited}'`,
      expected: `23514 member_invitations_${column}_${rule}`,
    })),
    {
      name: 'two expiries of an invitation of a member',
      as: owner,
      before: invite(ids),
      statement: `update private.member_invitations set term_seconds = 3600, term_until = now() where id = '${invited}'`,
      expected: '23514 member_invitations_term_check',
    },
    {
      name: 'two invitations of a member',
      as: owner,
      before: invite(ids),
      statement: invite(ids).replace(invited, ids.pending),
      expected: '23505 member_invitations_account_id_email_key',
    },
    {
      name: 'an invitation of a member is recorded',
      as: owner,
      statement: invite(ids),
      after: `select count(*) from private.audit_log where table_name = 'private.member_invitations' and row_id = '${invited}'`,
      expected: 'done 1 1',
    },
    {
      name: 'the service inserts into member_invitation_tokens',
      as: owner,
      before: invite(ids),
      statement: `insert into private.member_invitation_tokens (token_hash, invitation_id, expires_at)
        values (sha256('x'), '${invited}', now())`,
      expected: 'done 1',
    },
  ];
}

function acceptanceCells(ids: Ids): Cell[] {
  const token = `insert into private.member_invitation_tokens (token_hash, invitation_id, expires_at)
    values (sha256('x'), '${invited}', now() + interval '1 day')`;
  const accept = (user: string = ids.plain): string =>
    `select from private.accept_member_invitations('${user}')`;
  /** Memberships, roles, links, and the status of the invitation. */
  const state = `select concat_ws(' ',
    (select count(*) from public.account_members where user_id = '${ids.plain}' and account_id = '${ids.account}' and status = 'active'),
    (select count(*) from public.user_roles where user_id = '${ids.plain}'),
    (select count(*) from private.member_invitation_tokens),
    (select status from private.member_invitations))`;
  const pending = `${invite(ids)}; ${token}`;
  const administrator = `update private.invitations set user_id = '${ids.plain}' where id = '${ids.pending}'`;
  return [
    {
      name: 'an acceptance gives a membership and no role',
      as: owner,
      before: pending,
      statement: accept(),
      after: state,
      expected: 'done 1 1 0 0 accepted',
    },
    ...(
      [
        ['revoked', `status = 'revoked'`, '0 0 1 revoked'],
        ['expired', `expires_at = now() - interval '1 second'`, '0 0 1 pending'],
        ['accepted', `status = 'accepted'`, '0 0 1 accepted'],
        ['for an ended membership', `membership_ends_at = now()`, '0 0 1 pending'],
      ] as const
    ).map(([name, change, expected]): Cell => ({
      name: `an invitation of a member that is ${name} gives nothing`,
      as: owner,
      before: `${pending}; update private.member_invitations set ${change}`,
      statement: accept(),
      after: state,
      expected: `done 0 ${expected}`,
    })),
    {
      name: 'an invitation of a member gives nothing to another user',
      as: owner,
      before: pending,
      statement: accept(ids.spare),
      after: state,
      expected: 'done 0 0 0 1 pending',
    },
    {
      name: 'an acceptance leaves the invitation of the same user as an administrator',
      as: owner,
      before: `${pending}; ${administrator}`,
      statement: accept(),
      after: `select concat_ws(' ', (${state}), (select status from private.invitations where id = '${ids.pending}'))`,
      expected: 'done 1 1 0 0 accepted pending',
    },
    {
      name: 'the link of a member accepts no invitation as an administrator',
      as: owner,
      before: `${pending}; ${administrator}`,
      statement: 'select',
      after: `select concat_ws(' ', private.accept_invitation('${ids.plain}', '${invited}'),
        (select count(*) from public.user_roles where user_id = '${ids.plain}'),
        (select status from private.invitations where id = '${ids.pending}'))`,
      expected: 'done 1 f 0 pending',
    },
    {
      name: 'the invitation of a member opens no role that its user has',
      as: owner,
      before: `${pending}; insert into public.user_roles (user_id, role) values ('${ids.plain}', 'platform_admin')`,
      statement: accept(),
      after: state,
      expected: 'done 0 0 1 1 pending',
    },
    {
      name: 'an acceptance gives a membership with the end date of the invitation',
      as: owner,
      before: `${pending}; update private.member_invitations set membership_ends_at = '2126-01-01Z'`,
      statement: accept(),
      after: `select status || ' ' || (ends_at = '2126-01-01Z') from public.account_members where user_id = '${ids.plain}'`,
      expected: 'done 1 active true',
    },
    {
      name: 'an acceptance does not extend a membership',
      as: owner,
      before: `${pending}; insert into public.account_members (account_id, user_id, status, ends_at)
        values ('${ids.account}', '${ids.plain}', 'ended', now())`,
      statement: accept(),
      after: `select status || ' ' || (ends_at <= now()) from public.account_members where user_id = '${ids.plain}'`,
      expected: 'done 1 ended true',
    },
    {
      name: 'an acceptance does not reactivate a suspended member',
      as: owner,
      before: `${pending}; insert into public.account_members (account_id, user_id, status)
        values ('${ids.account}', '${ids.plain}', 'suspended')`,
      statement: accept(),
      after: state,
      expected: 'done 1 0 0 0 accepted',
    },
    {
      name: 'an acceptance ends all links of the invitation, and none of another person',
      as: owner,
      before: `${pending}; ${token.replace("'x'", "'shared'")};
        ${invite(ids, ids.spare).replace(invited, ids.pending).replace('new@', 'other@')};
        ${token.replace("'x'", "'other'").replace(invited, ids.pending)}`,
      statement: accept(),
      after: `select string_agg(t.invitation_id::text, ' ') from private.member_invitation_tokens t`,
      expected: `done 1 ${ids.pending}`,
    },
    {
      name: 'two links have different tokens',
      as: owner,
      before: pending,
      statement: token,
      expected: '23505 member_invitation_tokens_pkey',
    },
    ...(['admin', 'aal1', 'ended'] as const).map((user): Cell => ({
      name: `a user with a role is not invited as a member: ${user}`,
      as: owner,
      statement: invite(ids, ids[user]),
      expected: '23514 member_invitations_no_role',
    })),
    ...(
      [
        ['a resend', `update private.member_invitations set user_id = '${ids.admin}'`, 'pending'],
        ['a new invitation', `update private.member_invitations set status = 'pending'`, 'revoked'],
      ] as const
    ).map(([name, statement, status]): Cell => ({
      name: `${name} does not invite a user with a role`,
      as: owner,
      before: `${invite(ids)}; update private.member_invitations set status = '${status}';
        insert into public.user_roles (user_id, role) values ('${ids.plain}', 'platform_admin')`,
      statement,
      expected: '23514 member_invitations_no_role',
    })),
    {
      name: 'the revocation of an invitation of a user with a role',
      as: owner,
      before: `${invite(ids)}; insert into public.user_roles (user_id, role) values ('${ids.plain}', 'platform_admin')`,
      statement: `update private.member_invitations set status = 'revoked'`,
      expected: 'done 1',
    },
    {
      name: 'a deleted account has no invitations',
      as: owner,
      before: pending,
      statement: `delete from public.accounts where id = '${ids.account}'`,
      after: `select concat_ws(' ', (select count(*) from private.member_invitations),
        (select count(*) from private.member_invitation_tokens))`,
      expected: 'done 1 0 0',
    },
  ];
}

export const memberInvitationCells = (ids: Ids): Cell[] => [...valueCells(ids), ...acceptanceCells(ids)];
