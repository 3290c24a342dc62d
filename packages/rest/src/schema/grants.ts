/** Privileges of the request roles at the time of the last schema cache load. Postgres checks them again. */
import type { DatabaseRole } from '../rest-types.ts';

/**
 * Privilege abbreviations by role, as in Postgres access control lists: `r` select, `a` insert, `w` update, `d` delete,
 * `X` execute.
 */
export type Grants = Readonly<Partial<Record<GrantHolder, string>>>;

/** `authenticated` includes the privileges of the elevated roles, which some of its requests have. */
type GrantHolder = DatabaseRole | 'authenticated alone';

const letters = { select: 'r', insert: 'a', update: 'w', delete: 'd', execute: 'X' } as const;

export type Privilege = keyof typeof letters;

/** Returns true if the role has the privilege. */
export function hasPrivilege(grants: Grants, role: DatabaseRole, privilege: Privilege): boolean {
  return grants[role]?.includes(letters[privilege]) ?? false;
}

/** Returns true if a request of the role has the privilege only with an elevated role. */
export function needsElevation(grants: Grants, role: DatabaseRole, privilege: Privilege): boolean {
  const isOwn = grants['authenticated alone']?.includes(letters[privilege]) ?? false;
  return role === 'authenticated' && !isOwn && hasPrivilege(grants, role, privilege);
}

/** Returns true if the role has at least one privilege. */
export function isUsable(grants: Grants, role: DatabaseRole): boolean {
  return grants[role] !== undefined;
}

/**
 * SQL of the common table expression `holders`: the database roles whose privileges each request role can use. `$1`: the
 * request roles, `$3`: the elevated roles of `authenticated`.
 */
export const holders = `holders as (
    select a.role, r.oid as holder
    from (
      select name as role, name from unnest($1::name[]) as name
      union all select 'authenticated', name from unnest($3::name[]) as name
      union all select 'authenticated alone', 'authenticated'
    ) a
    join pg_catalog.pg_roles r on r.rolname = a.name
  )`;

/** Returns SQL of a JSON object of type `Grants`, from one privilege test of the role `h.holder` per privilege. */
export function grantsSql(tests: Readonly<Partial<Record<Privilege, string>>>): string {
  const cases = Object.entries(tests).map(
    ([privilege, test]) => `case when bool_or(${test}) then '${letters[privilege as Privilege]}' end`,
  );
  return `coalesce((
      select json_object_agg(g.role, g.letters)
      from (select h.role, concat(${cases.join(', ')}) as letters from holders h group by h.role) as g
      where g.letters <> ''
    ), '{}')`;
}
