import type { HandoverResponse } from '@lanternrock/contract/handover';
import { expect, it } from 'vitest';
import { formatExactTime } from '../../ui/format-time.ts';
import { handoverPlainText } from './handover-plain-text.ts';

const at = '2026-11-24T08:00:00Z';
const change = {
  id: '1',
  at,
  actor_id: 'u',
  actor_name: 'Ann Lee',
  actor_email: 'ann@example.org',
  origin: 'console',
  action: 'UPDATE',
  table_name: 'public.accounts',
  record_id: 'a',
  record_name: 'Alpine\u2028Rescue',
  member_name: null,
  former_names: { actor: null, record: null, member: null },
  listed: null,
  undone_by: null,
  undoes: null,
  changes: [{ field: 'city', before: null, after: 'Bern' }],
  undoable: false,
  undoable_import: null,
  count: 1,
  further: [],
} as const;
const response: HandoverResponse = {
  since: at,
  until: at,
  last_visit: null,
  accounts: { items: [change], more: true },
  invitations: {
    items: [
      { id: 'j', event: 'expires', at, full_name: 'Eve Soon', email: 'eve@example.org', actor: null },
      { id: 'i', event: 'failed', at, full_name: 'Bo Ek', email: 'bo@example.org', actor: 'Ann Lee' },
    ],
    more: false,
  },
  settings: { items: [], more: false },
};

it('lists each change in one line, with who and when', () => {
  const time = formatExactTime(at);
  expect(handoverPlainText(response).split('\n')).toEqual([
    'Handover',
    `${time} to ${time}`,
    '',
    'Accounts',
    `- ${time}: Ann Lee changed Alpine Rescue (City: none → Bern)`.replaceAll(/\s/g, ' '),
    expect.stringContaining('There are more entries.'),
    '',
    'Invitations',
    `- Invitation of Eve Soon <eve@example.org> expires at ${time}`.replaceAll(/\s/g, ' '),
    `- ${time}: Invitation email to Bo Ek <bo@example.org> not sent (requested by Ann Lee)`.replaceAll(
      /\s/g,
      ' ',
    ),
    '',
    'Settings',
    'No entries.',
    '',
  ]);
});

it('names the reason for a suspension', () => {
  const suspension = {
    ...change,
    action: 'INSERT',
    table_name: 'private.account_suspensions',
    changes: [
      { field: 'reason', before: null, after: 'Unpaid' },
      { field: 'suspended_at', before: null, after: at },
    ],
  } as const;
  const text = handoverPlainText({ ...response, accounts: { items: [suspension], more: false } });
  expect(text).toContain('(Reason: Unpaid)');
});
