/** The permission table: expected results of the policy tests and their mutants. */

/**
 * A second factor is required. The platform administrator has one and a session at AAL2, `aal1 admin` has none, and the
 * role of `ended admin` has ended.
 */
export const roles = [
  'anon',
  'no role',
  'member',
  'ended admin',
  'aal1 admin',
  'platform admin',
  'service',
] as const;
export type Role = (typeof roles)[number];

export const tables = [
  'profiles',
  'accounts',
  'user_roles',
  'account_members',
  'account_contacts',
  'user_invitations',
  'notification_settings',
] as const;
export type Table = (typeof tables)[number];

type Listed = Exclude<Role, 'ended admin' | 'aal1 admin'>;

/** Administrators without rights are users without a role; the own role stays visible until it ends. */
const withoutRights = <Value>(cells: Readonly<Record<Listed, Value>>): Readonly<Record<Role, Value>> => ({
  ...cells,
  'ended admin': cells['no role'],
  'aal1 admin': cells['no role'],
});

/**
 * Visible rows. The fixture contains 6 profiles, 2 accounts, 3 roles, 2 memberships, 2 contacts, 2 invitations
 * and 1 settings row.
 */
const visibleRows: Readonly<Record<Table, Readonly<Record<Listed, number | null>>>> = {
  profiles: { anon: null, 'no role': 1, member: 1, 'platform admin': 1, service: 6 },
  accounts: { anon: null, 'no role': 0, member: 1, 'platform admin': 2, service: 2 },
  user_roles: { anon: null, 'no role': 0, member: 0, 'platform admin': 1, service: 3 },
  account_members: { anon: null, 'no role': 0, member: 1, 'platform admin': 0, service: 2 },
  account_contacts: { anon: null, 'no role': 0, member: 1, 'platform admin': 2, service: 2 },
  user_invitations: { anon: null, 'no role': 0, member: 0, 'platform admin': 2, service: 2 },
  notification_settings: { anon: null, 'no role': 1, member: 1, 'platform admin': 1, service: 1 },
};

export const visible = (table: Table, role: Role): number | null =>
  table === 'user_roles' && role === 'aal1 admin' ? 1 : withoutRights(visibleRows[table])[role];

/**
 * `grant`: rejected for a missing grant; `check`: rejected by the policy check; `none`: changes no row, because the role
 * sees none; `ok`: succeeds.
 */
export type Outcome = 'grant' | 'check' | 'none' | 'ok';
export type Verb = 'POST' | 'PATCH' | 'DELETE';

const denied = withoutRights<Outcome>({
  anon: 'grant',
  'no role': 'grant',
  member: 'grant',
  'platform admin': 'grant',
  service: 'ok',
});
const byAdministrators = withoutRights<Outcome>({ ...denied, 'platform admin': 'ok' });
const outcomes: Readonly<Record<Table, Readonly<Record<Verb, Readonly<Record<Role, Outcome>>>>>> = {
  profiles: { POST: denied, PATCH: denied, DELETE: denied },
  accounts: {
    POST: byAdministrators,
    PATCH: byAdministrators,
    DELETE: denied,
  },
  user_roles: { POST: denied, PATCH: denied, DELETE: denied },
  account_members: { POST: denied, PATCH: denied, DELETE: denied },
  account_contacts: { POST: denied, PATCH: denied, DELETE: denied },
  user_invitations: { POST: denied, PATCH: denied, DELETE: denied },
  notification_settings: { POST: byAdministrators, PATCH: byAdministrators, DELETE: denied },
};

/** The invitations are a view whose rows only functions write, for every role. */
export const expectedOutcome = (table: Table, verb: Verb, role: Role): Outcome =>
  table === 'user_invitations' ? 'grant' : outcomes[table][verb][role];
