/** Cells for a hosted project: its grants, with the policies alone. */
import fs from 'node:fs';
import type { Cell, ids as fixtureIds } from './permission-probe.ts';

type Ids = typeof fixtureIds;

/** The grants of a platform that takes the role from the token. The policies alone reject users without the role. */
const hostedGrants = fs.readFileSync(
  new URL('../../../../hosted-supabase/rights.sql', import.meta.url),
  'utf8',
);

export function hostedCells(ids: Ids): Cell[] {
  const settings = `(sender_email, sender_name) values ('a@example.org', 'A')`;
  const insertAccount = `insert into public.accounts (name, slug, account_type, status, created_by)
    values ('Tried', 'tried', 'enterprise', 'active', '${ids.member}')`;
  return (
    [
      ['an account', insertAccount, 'check'],
      ['the own account', `update public.accounts set city = 'Oslo' where id = '${ids.account}'`, 'check'],
      ['initial settings', `insert into public.notification_settings ${settings}`, 'check'],
      ['settings', `update public.notification_settings set sender_name = 'B'`, 'check'],
    ] as const
  ).map(([name, statement, expected]) => ({
    name: `${name} by a member with the grants of a hosted project`,
    as: 'member',
    before:
      name === 'initial settings'
        ? `${hostedGrants}; delete from public.notification_settings`
        : hostedGrants,
    statement,
    expected,
  }));
}
