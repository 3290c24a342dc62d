/** Reads administrators with their sessions, sets the end of their roles, and ends their sessions. */
import type {
  Administrator,
  AdministratorDetails,
  AdministratorSession,
  AdministratorStatus,
} from '@lanternrock/contract/administrators';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import { QueryError } from '@lanternrock/postgres/errors';
import { revokeSessionById, revokeUserSessions } from '@lanternrock/auth/users';
import { type PasskeySettings, passkeysGiveAal2 } from '@lanternrock/auth/settings';
import { recordDeletions } from '../audit-log.ts';
import { DomainError } from '../errors.ts';
import { notifyOfAccess, type NoticeSender } from './administrator-notices.ts';
import { tryToSeniorityError } from './administrator-seniority.ts';
import type { Authorize } from './email-action.ts';

interface AdministratorRow {
  readonly user_id: string;
  readonly email: string | null;
  readonly full_name: string | null;
  readonly status: AdministratorStatus;
  readonly ends_at: Date | null;
  readonly invitation_id: string | null;
  readonly second_factor: boolean;
  readonly passkey: boolean;
  readonly since: Date;
  readonly granted_by: string | null;
  readonly last_sign_in_at: Date | null;
}

/** @param userId null for all */
const readRows = (
  tx: Transaction,
  config: PasskeySettings,
  userId: string | null,
): Promise<AdministratorRow[]> =>
  tx.query(sql`select r.user_id, u.email, p.full_name, r.ends_at, r.created_at as since, u.last_sign_in_at,
      u.has_verified_factor as second_factor, i.id as invitation_id,
      ${passkeysGiveAal2(config)}::boolean and auth.has_verifying_passkey(r.user_id) as passkey,
      case when r.ends_at <= now() then 'ended' when u.banned_until > now() then 'banned' else 'active' end as status,
      private.display_name(giver_profile.full_name, giver.email) as granted_by
    from public.user_roles r
    join auth.users u on u.id = r.user_id and u.deleted_at is null
    left join public.profiles p on p.id = r.user_id
    left join auth.users giver on giver.id = r.granted_by
    left join public.profiles giver_profile on giver_profile.id = r.granted_by
    left join lateral (
      select i.id from private.invitations i where i.user_id = r.user_id order by i.invited_at desc limit 1
    ) i on true
    where r.role = 'platform_admin' and r.user_id = coalesce(${userId}::uuid, r.user_id)
    order by lower(private.display_name(p.full_name, u.email)), r.user_id`);

const toAdministrator = (row: AdministratorRow): Administrator => ({
  user_id: row.user_id,
  email: row.email ?? '',
  full_name: row.full_name,
  status: row.status,
  ends_at: row.ends_at?.toISOString() ?? null,
  invitation_id: row.invitation_id,
  second_factor: row.second_factor,
  passkey: row.passkey,
});

export const listAdministrators = async (
  tx: Transaction,
  config: PasskeySettings,
): Promise<Administrator[]> => (await readRows(tx, config, null)).map(toAdministrator);

interface Reader {
  readonly config: PasskeySettings;
  readonly caller: Caller;
}

interface Caller {
  readonly userId: string | null;
  readonly sessionId: string | null;
}

const notAdministrator = (): DomainError =>
  new DomainError('not_administrator', 'This user is not an administrator.');

/** @throws DomainError not_administrator */
export async function readAdministrator(
  tx: Transaction,
  userId: string,
  { config, caller }: Reader,
): Promise<AdministratorDetails> {
  const [row] = await readRows(tx, config, userId);
  if (!row) throw notAdministrator();
  return {
    ...toAdministrator(row),
    since: row.since.toISOString(),
    granted_by: row.granted_by,
    last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
    sessions: await readSessions(tx, userId, caller.sessionId),
    is_self: userId === caller.userId,
  };
}

/** The network of a session is coarse: it helps to recognize a session, and does not locate its user. */
async function readSessions(
  tx: Transaction,
  userId: string,
  currentId: string | null,
): Promise<AdministratorSession[]> {
  const rows = await tx.query<{
    id: string;
    created_at: Date;
    renewed_at: Date | null;
    user_agent: string | null;
    network: string | null;
  }>(sql`select id, created_at, refreshed_at as renewed_at, user_agent,
      network(set_masklen(ip, case family(ip) when 4 then 24 else 48 end))::text as network
    from auth.sessions where user_id = ${userId} and (not_after is null or not_after > now())
    order by coalesce(refreshed_at, created_at) desc, id limit 100`);
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    renewed_at: row.renewed_at?.toISOString() ?? null,
    current: row.id === currentId,
  }));
}

interface RoleEnd {
  readonly userId: string;
  /** Null removes the end. */
  readonly endsAt: Date | null;
  readonly now: DatabaseClock['read'];
  readonly authorize: Authorize;
  /** Absent for the command line, which informs nobody. */
  readonly notices?: NoticeSender;
}

/**
 * Sets, extends or removes the end of a role. The database rejects a change of one's own end, an end of the last
 * administrator without one, and an end after that of the acting administrator. The user and the other administrators get an
 * email if the end changed.
 *
 * @throws DomainError role_end_in_past, not_administrator, last_administrator, role_end_not_allowed
 */
export async function setAdministratorEnd(
  database: Database,
  { userId, endsAt, now, authorize, notices }: RoleEnd,
): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await authorize(tx);
      if (endsAt && endsAt <= (await now(tx))) {
        throw new DomainError('role_end_in_past', 'This time has passed. Select a time in the future.');
      }
      // The user first, as in every other change of a role.
      const [user] = await tx.query<{ email: string | null }>(
        sql`select email from auth.users where id = ${userId} for no key update`,
      );
      const [role] = await tx.query<{ ends_at: Date | null }>(
        sql`select ends_at from public.user_roles where user_id = ${userId} and role = 'platform_admin' for no key update`,
      );
      if (!user || !role) throw notAdministrator();
      if (role.ends_at?.getTime() === endsAt?.getTime()) return;
      await tx.query(sql`update public.user_roles set ends_at = ${endsAt}
        where user_id = ${userId} and role = 'platform_admin'`);
      if (notices)
        await notifyOfAccess(tx, notices, { event: 'end_changed', user: { id: userId, ...user }, endsAt });
    });
    notices?.outbox.wake();
  } catch (error) {
    throw toDomainError(error);
  }
}

function toDomainError(error: unknown): unknown {
  if (!(error instanceof QueryError)) return error;
  if (error.constraint === 'user_roles_role_end')
    return new DomainError('role_end_not_allowed', `${error.message}.`, { cause: error });
  // A check constraint has a name; the trigger for the last administrator gives none.
  if (error.code !== '23514' || error.constraint !== null) return tryToSeniorityError(error) ?? error;
  const message =
    'At least one administrator without an end date must remain. Invite another administrator first.';
  return new DomainError('last_administrator', message, { cause: error });
}

interface SessionEnd {
  readonly userId: string;
  /** Null ends all sessions. */
  readonly sessionId: string | null;
  /** A session to keep: that of the caller. */
  readonly keepId: string | null;
}

/**
 * @returns the number of ended sessions
 * @throws DomainError not_administrator, session_gone
 */
export async function endAdministratorSessions(
  tx: Transaction,
  { userId, sessionId, keepId }: SessionEnd,
): Promise<number> {
  await tx.query(sql`select from auth.users where id = ${userId} for no key update`);
  const roles = await tx.query(
    sql`select from public.user_roles where user_id = ${userId} and role = 'platform_admin'`,
  );
  if (roles.length === 0) throw notAdministrator();
  if (sessionId === null) {
    const ended = await revokeUserSessions(tx, userId, keepId);
    await recordDeletions(tx, 'auth.sessions', ended);
    return ended.length;
  }
  if (!(await revokeSessionById(tx, userId, sessionId))) {
    throw new DomainError('session_gone', 'This session has already ended.');
  }
  const ended = { id: sessionId, user_id: userId };
  await recordDeletions(tx, 'auth.sessions', [ended]);
  return 1;
}
