/** Removing and restoring administrators. Everything that belongs together happens in one transaction. */
import { QueryError } from '@lanternrock/postgres/errors';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { ApiError } from '../errors.ts';
import { lockEmail } from './invitation-record.ts';
import { lockUserByEmail } from './invited-user.ts';

export type Authorize = (tx: Transaction) => Promise<void>;

async function findAccepted(
  tx: Transaction,
  email: string,
): Promise<{ id: string; administrator: boolean } | null> {
  await lockUserByEmail(tx, email);
  const [row] = await tx.query<{ id: string; administrator: boolean }>(
    sql`select u.id,
          exists (select from public.user_roles r where r.user_id = u.id and r.role = 'platform_admin') as administrator
        from auth.users u where u.email = ${email} and u.deleted_at is null`,
  );
  return row ?? null;
}

/**
 * Role gone, banned, every session and mailed link ended; the invitation's record says 'removed', so
 * that inviting again opens it again.
 * @throws ApiError 404 `not_administrator`, 409 `last_administrator`
 */
export async function removeAdministrator(
  database: Database,
  email: string,
  authorize?: Authorize,
): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await authorize?.(tx);
      await lockEmail(tx, email);
      const person = await findAccepted(tx, email);
      if (!person?.administrator)
        throw new ApiError(404, 'not_administrator', `${email} is not an administrator.`);
      await tx.query(
        sql`delete from public.user_roles where user_id = ${person.id} and role = 'platform_admin'`,
      );
      await tx.query(
        sql`update auth.users set banned_until = 'infinity', updated_at = now() where id = ${person.id}`,
      );
      await tx.query(sql`delete from auth.sessions where user_id = ${person.id}`);
      await tx.query(sql`delete from auth.one_time_tokens where user_id = ${person.id}`);
      await tx.query(sql`update private.invitations set status = 'removed' where user_id = ${person.id}`);
    });
  } catch (error) {
    // The rule itself is a trigger, so that no interface gets around it.
    if (!(error instanceof QueryError) || error.code !== '23514') throw error;
    const sentence = 'The last platform administrator cannot be removed. Invite another administrator first.';
    throw new ApiError(409, 'last_administrator', sentence, { cause: error });
  }
}

/**
 * Takes a removal back: the role and the old password count again.
 * @throws ApiError 404 `not_removed` for anybody who was not removed; such people are invited.
 */
export async function restoreAdministrator(
  database: Database,
  email: string,
  authorize?: Authorize,
): Promise<void> {
  await database.transaction(async (tx) => {
    await authorize?.(tx);
    await lockEmail(tx, email);
    const restored = await tx.query<{ user_id: string }>(
      sql`update private.invitations i set status = 'accepted'
          from auth.users u
          where u.id = i.user_id and u.deleted_at is null and i.email = ${email} and i.status = 'removed'
          returning i.user_id`,
    );
    const [person] = restored;
    if (!person) {
      const administrator = (await findAccepted(tx, email))?.administrator ?? false;
      const fact = administrator
        ? 'is an administrator already.'
        : 'was not removed. Send an invitation instead.';
      throw new ApiError(404, 'not_removed', `${email} ${fact}`);
    }
    await tx.query(
      sql`update auth.users set banned_until = null, updated_at = now() where id = ${person.user_id}`,
    );
    await tx.query(
      sql`insert into public.user_roles (user_id, role) values (${person.user_id}, 'platform_admin')
          on conflict (user_id, role) do nothing`,
    );
  });
}
