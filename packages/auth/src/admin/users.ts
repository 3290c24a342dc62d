/** `/admin/users`: lists, reads, creates, changes and deletes users, with the secret key. */
import type { Context } from 'hono';
import { sql } from '@lanternrock/postgres';
import { QueryError } from '@lanternrock/postgres/errors';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { AuthEnv } from '../client-info.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { createUser, hardDeleteUser, softDeleteUser, updateUserByAdmin } from '../users/user-writes.ts';
import { toUniqueViolationError } from '../users/unique-violations.ts';
import { findUserById, toUserJson, type UserRecord } from '../users/user-records.ts';
import { isUuid } from '@lanternrock/contract/uuid';
import { paginationLinks, readPagination } from './pagination.ts';
import { readUserFields } from './user-fields.ts';

export const listUsers = endpoint(
  { guard: 'service', query: readPagination },
  async ({ c, context, query: page }) => {
    const filter = (c.req.query('filter') ?? '').toLowerCase();
    const [counted] = await context.database.query<{
      total: number;
    }>(sql`select count(*)::int as total from auth.users u
    where u.deleted_at is null and (${filter} = '' or position(${filter} in u.email) > 0
      or position(${filter} in lower(u.raw_user_meta_data ->> 'full_name')) > 0)`);
    const users = await context.database.query<UserRecord>(sql`select * from auth.user_records u
    where u.deleted_at is null and (${filter} = '' or position(${filter} in u.email) > 0
      or position(${filter} in lower(u.raw_user_meta_data ->> 'full_name')) > 0)
    order by u.created_at desc, u.id limit ${page.size} offset ${page.offset}`);
    const total = counted?.total ?? 0;
    c.header('X-Total-Count', String(total));
    c.header('Link', paginationLinks(c, page, total));
    return c.json({ users: users.map(toUserJson), aud: 'authenticated' });
  },
);

/**
 * Returns the user with the ID in the path.
 *
 * @throws AuthError 404
 */
export async function requireUserFromPath(c: Context<AuthEnv>, context: AuthContext): Promise<UserRecord> {
  const id = c.req.param('id') ?? '';
  if (!isUuid(id)) throw new AuthError(404, 'validation_failed', 'user_id must be an UUID');
  const user = await findUserById(context.database, id);
  if (!user) throw new AuthError(404, 'user_not_found', 'User not found');
  return user;
}

export const getUserById = endpoint({ guard: 'service' }, async ({ c, context }) => {
  return c.json(toUserJson(await requireUserFromPath(c, context)));
});

export const postUser = endpoint(
  { guard: 'service', body: 'required' },
  async ({ c, context, client, body }) => {
    const now = await context.now(context.database);
    const fields = readUserFields(body, context, now);
    const { email, phone } = fields;
    if (!email && !phone) {
      throw new AuthError(400, 'validation_failed', 'Cannot create a user without either an email or phone');
    }
    const id = body.getString('id');
    if (id !== '' && !isUuid(id))
      throw new AuthError(400, 'validation_failed', 'ID must conform to the uuid v4 format');
    const passwordHash = fields.password
      ? await context.hasher.hash(fields.password, '')
      : fields.passwordHash;
    const user = await context.database.transaction(async (tx) => {
      const created = await createUser(tx, {
        ...(id === '' ? {} : { id }),
        email,
        phone,
        passwordHash,
        emailConfirmed: fields.emailConfirm,
        phoneConfirmed: fields.phoneConfirm,
        userData: fields.userData ?? {},
        appData: fields.appData ?? {},
        role: fields.role ?? 'authenticated',
        bannedUntil: fields.bannedUntil ?? null,
        now,
      });
      await writeAuditEntry(tx, {
        action: 'user_signedup',
        actor: null,
        client,
        traits: { user_id: created.id },
      });
      return created;
    });
    return c.json(toUserJson(user));
  },
);

export const putUser = endpoint(
  { guard: 'service', body: 'required' },
  async ({ c, context, client, body }) => {
    const user = await requireUserFromPath(c, context);
    const now = await context.now(context.database);
    const fields = readUserFields(body, context, now, { update: true, currentEmail: user.email });
    const passwordHash = fields.password
      ? await context.hasher.hash(fields.password, '')
      : fields.passwordHash;
    try {
      await context.database.transaction(async (tx) => {
        await updateUserByAdmin(tx, user, { ...fields, passwordHash }, now);
        await writeAuditEntry(tx, {
          action: 'user_modified',
          actor: null,
          client,
          traits: { user_id: user.id },
        });
      });
    } catch (error) {
      throw toUniqueViolationError(toProductRuleError(error));
    }
    return c.json(toUserJson((await findUserById(context.database, user.id)) ?? user));
  },
);

export const deleteUser = endpoint(
  { guard: 'service', body: 'optional' },
  async ({ c, context, client, body }) => {
    const user = await requireUserFromPath(c, context);
    const soft = body.getBoolean('should_soft_delete');
    try {
      await context.database.transaction(async (tx) => {
        await writeAuditEntry(tx, {
          action: 'user_deleted',
          actor: null,
          client,
          traits: { user_id: user.id, soft },
        });
        if (soft) await softDeleteUser(tx, context.keys, user, await context.now(tx));
        else await hardDeleteUser(tx, user.id);
      });
    } catch (error) {
      throw toProductRuleError(error);
    }
    return c.json({});
  },
);

/**
 * Converts an error that a trigger of the product raised (SQLSTATE 23514, without a constraint) to an API error with the
 * message of the trigger. Returns any other error unchanged.
 */
function toProductRuleError(error: unknown): unknown {
  if (!(error instanceof QueryError) || error.code !== '23514' || error.constraint !== null) return error;
  return new AuthError(422, 'conflict', error.message, { cause: error });
}
