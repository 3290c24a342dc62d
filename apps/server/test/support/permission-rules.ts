/** Cells in addition to the permission table: columns, private tables and functions. */
import type { Cell, ids as fixtureIds } from './permission-probe.ts';
import { hostedCells } from './permission-hosted.ts';
import { administratorCells } from './permission-administrators.ts';
import { invitationCells } from './permission-invitations.ts';
import { memberInvitationCells } from './permission-member-invitations.ts';
import { membershipEndCells } from './permission-membership-ends.ts';
import { auditCells } from './permission-audit.ts';
import { contactCells } from './permission-contacts.ts';
import { similarAccountCells } from './permission-similar-accounts.ts';
import { triggerCells } from './permission-triggers.ts';
import { valueCells } from './permission-values.ts';

type Ids = typeof fixtureIds;

const invitationColumns = {
  granted: ['id', 'email', 'full_name', 'status', 'invited_at', 'expires_at', 'last_sent_at', 'send_count'],
  hidden: ['user_id', 'invited_by', 'accepted_at', 'role_ends_at', 'note', 'term_seconds', 'term_until'],
};
export const accountColumns = {
  granted: ['name', 'slug', 'account_type', 'address', 'city', 'state', 'zip_code', 'status', 'created_by'],
  hidden: ['id', 'active_members', 'contact_text', 'created_at', 'updated_at', 'updated_by'],
  /** Granted columns that cannot be updated. */
  fixed: ['status', 'created_by'],
};
const settingsColumns = {
  granted: ['sender_email', 'sender_name'],
  hidden: ['id', 'created_at', 'updated_at', 'updated_by'],
};

/** A column of every private table, and of a view that could be changed, that can be set to its default. */
const privateTables = {
  audit_log: 'at',
  account_suspensions: 'suspended_at',
  account_imports: 'created_at',
  imported_accounts: 'updated_at',
  invitations: 'invited_at',
  invitation_tokens: 'created_at',
  invitation_openings: 'opened_at',
  member_invitations: 'invited_at',
  member_invitation_tokens: 'created_at',
  deliveries: 'created_at',
  request_keys: 'created_at',
  second_factor_requirement: 'created_at',
  former_administrators: 'user_id',
  audit_seals: 'sealed_at',
  audit_checkpoints: 'at',
  audit_reports: 'at',
  handover_visits: 'visited_at',
  service_settings: 'recorded_at',
  demonstration: 'filled_at',
  backup_state: 'next_at',
  active_memberships: 'user_id',
};

const columnCells: Cell[] = [
  ...accountColumns.hidden.flatMap((column): Cell[] => [
    {
      name: `insert accounts.${column}`,
      as: 'platform admin',
      statement: `insert into public.accounts (${column}) values (default)`,
      expected: 'grant',
    },
  ]),
  ...[...accountColumns.granted, ...accountColumns.hidden].map((column): Cell => {
    const isFixed = [...accountColumns.hidden, ...accountColumns.fixed].includes(column);
    return {
      name: `update accounts.${column}`,
      as: 'platform admin',
      statement: `update public.accounts set ${column} = ${isFixed ? 'default' : column}`,
      expected: isFixed ? 'grant' : 'done 2',
    };
  }),
  ...settingsColumns.hidden.flatMap((column): Cell[] => [
    {
      name: `insert notification_settings.${column}`,
      as: 'platform admin',
      statement: `insert into public.notification_settings (${column}) values (default)`,
      expected: 'grant',
    },
    {
      name: `update notification_settings.${column}`,
      as: 'platform admin',
      statement: `update public.notification_settings set ${column} = default`,
      expected: 'grant',
    },
  ]),
  ...settingsColumns.granted.map((column): Cell => ({
    name: `update notification_settings.${column}`,
    as: 'platform admin',
    statement: `update public.notification_settings set ${column} = ${column}`,
    expected: 'done 1',
  })),
  ...(['member', 'platform admin', 'service'] as const).flatMap((as) => [
    ...invitationColumns.granted.map((column): Cell => ({
      name: `read invitations.${column} as ${as}`,
      as,
      statement: `select ${column} from private.invitations`,
      expected: as === 'member' ? 'done 0' : 'done 2',
    })),
    ...invitationColumns.hidden.map((column): Cell => ({
      name: `read invitations.${column} as ${as}`,
      as,
      statement: `select ${column} from private.invitations`,
      expected: 'grant',
    })),
  ]),
];

const privateCells: Cell[] = Object.entries(privateTables).flatMap(([table, column]) =>
  (['anon', 'platform admin', 'service'] as const).flatMap((as) =>
    [
      `select from private.${table} t where t is null`,
      `insert into private.${table} default values`,
      `update private.${table} set ${column} = default`,
      `delete from private.${table}`,
    ].map((statement): Cell => ({ name: `${statement} as ${as}`, as, statement, expected: 'grant' })),
  ),
);

/** Without a condition no read permission is needed, so only the write permission can cause an error. */
const wholeTableCells: Cell[] = Object.entries({
  profiles: 'full_name',
  accounts: 'city',
  user_roles: 'created_at',
  account_members: 'status',
  account_contacts: 'note',
  notification_settings: 'updated_at',
}).flatMap(([table, column]): Cell[] => [
  {
    name: `update all ${table} as anon`,
    as: 'anon',
    statement: `update public.${table} set ${column} = default`,
    expected: 'grant',
  },
  {
    name: `delete all ${table} as anon`,
    as: 'anon',
    statement: `delete from public.${table}`,
    expected: 'grant',
  },
]);

function policyCells(ids: Ids): Cell[] {
  const insertAccount = (creator: string, status: string): string =>
    `insert into public.accounts (name, slug, account_type, status, created_by)
     values ('Tried', 'tried', 'enterprise', '${status}', ${creator})`;
  return [
    {
      name: 'a different creator',
      as: 'platform admin',
      statement: insertAccount(`'${ids.member}'`, 'active'),
      expected: 'check',
    },
    {
      name: 'no creator',
      as: 'platform admin',
      statement: insertAccount('null', 'active'),
      expected: 'check',
    },
    {
      name: 'an account of a member',
      as: 'member',
      statement: insertAccount(`'${ids.member}'`, 'active'),
      expected: 'grant',
    },
    ...hostedCells(ids),
    {
      name: 'another status',
      as: 'platform admin',
      statement: insertAccount(`'${ids.admin}'`, 'suspended'),
      expected: 'check',
    },
    {
      name: 'accounts of an inactive member',
      as: 'member',
      before: `update public.account_members set status = 'inactive'`,
      statement: 'select from public.accounts',
      expected: 'done 0',
    },
    {
      name: 'initial settings by an administrator',
      as: 'platform admin',
      before: 'delete from public.notification_settings',
      statement: `insert into public.notification_settings (sender_email, sender_name) values ('a@example.org', 'A')`,
      after: `select updated_by = '${ids.admin}' from public.notification_settings`,
      expected: 'done 1 true',
    },
    {
      name: 'initial settings by a member',
      as: 'member',
      before: 'delete from public.notification_settings',
      statement: `insert into public.notification_settings (sender_email, sender_name) values ('a@example.org', 'A')`,
      expected: 'grant',
    },
    ...(
      [
        'user_roles',
        'profiles',
        'accounts',
        'account_members',
        'account_contacts',
        'notification_settings',
      ] as const
    ).map((table): Cell => ({
      name: `the service reads ${table}`,
      as: 'owner',
      statement: `select from public.${table} limit 1`,
      expected: 'done 1',
    })),
    {
      name: 'the service inserts into imported_accounts',
      as: 'owner',
      before: `insert into private.account_imports (id) values ('${ids.pending}')`,
      statement: `insert into private.imported_accounts (account_id, import_id, updated_at)
        values ('${ids.account}', '${ids.pending}', now())`,
      expected: 'done 1',
    },
    {
      name: 'contacts of an inactive member',
      as: 'member',
      before: `update public.account_members set status = 'inactive'`,
      statement: 'select from public.account_contacts',
      expected: 'done 0',
    },
    ...(
      [
        [
          'invitation_openings',
          `(invitation_id, by_program, opened_at) values ('${ids.pending}', false, now())`,
        ],
        [
          'invitation_tokens',
          `(token_hash, invitation_id, expires_at) values (sha256('x'), '${ids.pending}', now())`,
        ],
        [
          'deliveries',
          `(id, kind, recipient, due_at) values ('${ids.pending}', 'test', 'a@example.org', now())`,
        ],
        ['account_imports', `(id) values ('${ids.pending}')`],
        ['account_suspensions', `(id, reason) values ('${ids.account}', 'Unpaid')`],
        ['request_keys', `(caller, key, fingerprint) values ('x', '${ids.pending}', sha256('x'))`],
        ['service_settings', `(site_url, fingerprints) values ('https://example.org', '{}')`],
        ['demonstration', '(filled_at) values (now())'],
        ['backup_state', `(schedule, next_at) values ('@daily', now())`],
        [
          'handover_visits',
          `(user_id, since, seen_until, visited_at) values ('${ids.admin}', now(), now(), now())`,
        ],
      ] as const
    ).map(([table, values]): Cell => ({
      name: `the service inserts into ${table}`,
      as: 'owner',
      statement: `insert into private.${table} ${values}`,
      expected: 'done 1',
    })),
  ];
}

function functionCells(ids: Ids): Cell[] {
  const outcome = (
    call: string,
    expected: Readonly<Record<'anon' | 'member' | 'platform admin' | 'service', string>>,
  ): Cell[] =>
    (Object.keys(expected) as (keyof typeof expected)[]).map((as) => ({
      name: `${call} as ${as}`,
      as,
      statement: `select from private.${call}`,
      expected: expected[as],
    }));
  const callers = { anon: 'grant', member: 'done 1', 'platform admin': 'done 1', service: 'done 1' };
  const denied = { anon: 'grant', member: 'grant', 'platform admin': 'grant', service: 'grant' };
  return [
    ...outcome('is_platform_admin() as f where f', {
      anon: 'grant',
      member: 'done 0',
      'platform admin': 'done 1',
      service: 'done 0',
    }),
    ...outcome('own_account_ids()', {
      anon: 'grant',
      member: 'done 1',
      'platform admin': 'done 0',
      service: 'done 0',
    }),
    ...outcome(`request_role('authenticated', '${ids.admin}')`, denied),
    // With any role claim, only a signed-in user can become an administrator.
    {
      name: 'the role of an anonymous request with a subject',
      as: 'owner',
      statement: 'select',
      after: `select private.request_role('anon', '${ids.admin}')`,
      expected: 'done 1 anon',
    },
    ...outcome(`administrator_denial('${ids.admin}', 'aal2')`, denied),
    ...outcome(`has_verified_factor('${ids.admin}')`, denied),
    ...outcome(`has_passkey_session('${ids.admin}')`, denied),
    ...outcome(`meets_second_factor_requirement('${ids.admin}', 'aal2')`, denied),
    ...outcome('active_administrators', denied),
    ...outcome(`display_name('Ann', 'ann@example.org')`, denied),
    ...outcome(`referenced_accounts(array['${ids.account}']::uuid[])`, denied),
    ...outcome('end_roles()', denied),
    ...outcome('end_memberships()', denied),
    ...outcome('require_seniority(null, false)', denied),
    ...['fold_text', 'fold_unicode', 'spellings', 'unicode_spellings'].flatMap((name) =>
      outcome(`${name}('É') as f where f = 'e'`, { ...callers, anon: 'grant' }),
    ),
    ...['search_text', 'place_text', 'name_key'].flatMap((name) =>
      (Object.keys(callers) as (keyof typeof callers)[]).map((as): Cell => ({
        name: `public.${name} as ${as}`,
        as,
        statement: `select from (values (null::public.accounts)) as v (a) where public.${name}(a) is null`,
        expected: as === 'anon' ? 'grant' : name === 'place_text' ? 'done 0' : 'done 1',
      })),
    ),
    ...outcome(`accept_invitation('${ids.spare}')`, denied),
    ...outcome(`accept_member_invitations('${ids.spare}')`, denied),
    ...outcome(`require_other_platform_admin('${ids.spare}')`, denied),
    ...outcome(`keep_answer('x', '${ids.spare}', 200::smallint, '', '')`, {
      anon: 'grant',
      member: 'done 1',
      'platform admin': 'done 1',
      service: 'done 1',
    }),
  ];
}

export const ruleCells = (ids: Ids): Cell[] => [
  ...columnCells,
  ...privateCells,
  ...wholeTableCells,
  ...valueCells(ids),
  ...policyCells(ids),
  ...functionCells(ids),
  ...invitationCells(ids),
  ...memberInvitationCells(ids),
  ...membershipEndCells(ids),
  ...auditCells,
  ...triggerCells(ids),
  ...contactCells(ids),
  ...administratorCells(ids),
  ...similarAccountCells,
];
