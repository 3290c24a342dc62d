/** Cells of invitations: values that the checks reject, and functions. */
import type { Cell, ids as fixtureIds } from './permission-probe.ts';

const long = (length: number): string => `repeat('a', ${length})`;

export const invitationCells = ({ pending }: typeof fixtureIds): Cell[] => [
  ...(
    [
      ['email', `'Upper@example.org'`, 'check'],
      ['full_name', `'a'`, 'check'],
      ['full_name', `'a' || chr(8238) || 'b'`, 'turns_no_text'],
      ['status', `''`, 'check'],
      ['send_count', '-1', 'check'],
      ['note', `''`, 'check'],
      ['note', long(501), 'check'],
      ['note', `'a' || chr(7)`, 'check'],
      ['note', `'a' || chr(8238) || 'b'`, 'turns_no_text'],
      ['term_seconds', '3599', 'check'],
      ['term_seconds', '2592001', 'check'],
    ] as const
  ).map(([column, value, rule]): Cell => ({
    name: `invitations.${column} = ${value}`,
    as: 'owner',
    statement: `update private.invitations set ${column} = ${value} where id = '${pending}'`,
    expected: `23514 invitations_${column}_${rule}`,
  })),
  {
    name: 'two expiries of an invitation',
    as: 'owner',
    statement: `update private.invitations set term_seconds = 3600, term_until = now() where id = '${pending}'`,
    expected: '23514 invitations_term_check',
  },
  {
    name: 'a note of two lines',
    as: 'owner',
    statement: `update private.invitations set note = 'a' || chr(10) || 'b' where id = '${pending}'`,
    expected: 'done 1',
  },
  ...(['anon', 'member', 'platform admin', 'service'] as const).map((as): Cell => ({
    name: `invitation_expiry as ${as}`,
    as,
    statement: 'select from private.invitation_expiry(null, null, 3600, now())',
    expected: 'grant',
  })),
];
