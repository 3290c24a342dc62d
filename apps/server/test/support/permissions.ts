/** The permission table: expected results of the policy tests and their mutants. */

export const roles = ['anon', 'no role', 'member', 'platform admin', 'service'] as const;
export type Role = (typeof roles)[number];

export const tables = [
  'profiles',
  'accounts',
  'user_roles',
  'account_members',
  'user_invitations',
  'notification_settings',
] as const;
export type Table = (typeof tables)[number];

/**
 * Visible rows. The fixture contains 4 profiles, 2 accounts, 1 role, 2 memberships, 2 invitations and 1
 * settings row.
 */
export const visible: Readonly<Record<Table, Readonly<Record<Role, number | null>>>> = {
  profiles: { anon: null, 'no role': 1, member: 1, 'platform admin': 1, service: 4 },
  accounts: { anon: null, 'no role': 0, member: 1, 'platform admin': 2, service: 2 },
  user_roles: { anon: null, 'no role': 0, member: 0, 'platform admin': 1, service: 1 },
  account_members: { anon: null, 'no role': 0, member: 1, 'platform admin': 0, service: 2 },
  user_invitations: { anon: null, 'no role': 0, member: 0, 'platform admin': 2, service: 2 },
  notification_settings: { anon: null, 'no role': 1, member: 1, 'platform admin': 1, service: 1 },
};

/** `grant`: rejected for a missing grant; `check`: rejected by the policy check; `ok`: succeeds. */
export type Outcome = 'grant' | 'check' | 'ok';
export type Verb = 'POST' | 'PATCH' | 'DELETE';

const denied: Readonly<Record<Role, Outcome>> = {
  anon: 'grant',
  'no role': 'grant',
  member: 'grant',
  'platform admin': 'grant',
  service: 'ok',
};
const byAdministrators: Readonly<Record<Role, Outcome>> = {
  ...denied,
  'no role': 'check',
  member: 'check',
  'platform admin': 'ok',
};
const outcomes: Readonly<Record<Table, Readonly<Record<Verb, Readonly<Record<Role, Outcome>>>>>> = {
  profiles: { POST: denied, PATCH: denied, DELETE: denied },
  accounts: { POST: byAdministrators, PATCH: denied, DELETE: denied },
  user_roles: { POST: denied, PATCH: denied, DELETE: denied },
  account_members: { POST: denied, PATCH: denied, DELETE: denied },
  user_invitations: { POST: denied, PATCH: denied, DELETE: denied },
  notification_settings: { POST: byAdministrators, PATCH: byAdministrators, DELETE: denied },
};

/** The invitations are a view whose rows only functions write, for every role. */
export const expectedOutcome = (table: Table, verb: Verb, role: Role): Outcome =>
  table === 'user_invitations' ? 'grant' : outcomes[table][verb][role];
