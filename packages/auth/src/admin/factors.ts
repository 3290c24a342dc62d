/** Lists, changes and deletes the second factors and passkeys of a user, with the secret key. */
import type { Context } from 'hono';
import { sql } from '@lanternrock/postgres';
import type { AuthEnv } from '../client-info.ts';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import { nameConflictError } from '../factor-endpoints/enroll.ts';
import { factorNotFoundError } from '../factors/factor-records.ts';
import { readMethodName } from '../factors/method-name.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { parseRequiredPhone } from '../users/contact-input.ts';
import { formatFactorLabel, sendSecurityNotice } from '../security-notices.ts';
import { revokePasskeySessions } from '../sessions/session-writes.ts';
import {
  toFactorJson,
  findUserById,
  lockUser,
  type FactorRecord,
  type UserRecord,
} from '../users/user-records.ts';
import { isUniqueViolation } from '../users/unique-violations.ts';
import { isUuid } from '@lanternrock/contract/uuid';
import { requireUserFromPath } from './users.ts';

export const listFactors = endpoint({ guard: 'service' }, async ({ c, context }) => {
  return c.json((await requireUserFromPath(c, context)).factors.map(toFactorJson));
});

function requireFactorFromPath(c: Context<AuthEnv>, user: UserRecord): FactorRecord {
  const id = c.req.param('factorId');
  const factor = user.factors.find((candidate) => candidate.id === id?.toLowerCase());
  if (!factor) throw factorNotFoundError();
  return factor;
}

export const putFactor = endpoint(
  { guard: 'service', body: 'required' },
  async ({ c, context, client, body }) => {
    const user = await requireUserFromPath(c, context);
    const factor = requireFactorFromPath(c, user);
    const name = body.has('friendly_name') ? readMethodName(body, 'friendly_name', 200) : null;
    const phone = body.getString('phone') === '' ? null : parseRequiredPhone(body.getString('phone'));
    const changed = context.database.transaction(async (tx) => {
      await tx.query(sql`update auth.mfa_factors set friendly_name = coalesce(${name}, friendly_name),
      phone = coalesce(${phone}, phone), updated_at = ${await context.now(tx)} where id = ${factor.id}`);
      await writeAuditEntry(tx, {
        action: 'factor_updated',
        actor: null,
        client,
        traits: { user_id: user.id, factor_id: factor.id },
      });
    });
    await changed.catch((error: unknown) => {
      throw isUniqueViolation(error) && name !== null ? nameConflictError(name) : error;
    });
    const updated = (await findUserById(context.database, user.id))?.factors.find(
      ({ id }) => id === factor.id,
    );
    return c.json(toFactorJson(updated ?? factor));
  },
);

export const deleteFactor = endpoint({ guard: 'service' }, async ({ c, context, client }) => {
  const user = await requireUserFromPath(c, context);
  const factor = requireFactorFromPath(c, user);
  await context.database.transaction(async (tx) => {
    await tx.query(sql`delete from auth.mfa_factors where id = ${factor.id}`);
    await tx.query(sql`delete from auth.recovery_code_sets s where s.user_id = ${user.id}
      and not exists (select from auth.mfa_factors f where f.user_id = s.user_id and f.status = 'verified')`);
    if (factor.status === 'verified')
      await sendSecurityNotice(tx, context, user, {
        kind: 'factor_removed',
        client,
        source: 'secret_key',
        data: { factor: formatFactorLabel(factor) },
      });
    await writeAuditEntry(tx, {
      action: 'factor_deleted',
      actor: null,
      client,
      traits: { user_id: user.id, factor_id: factor.id },
    });
  });
  context.mailer.wake();
  return c.json(toFactorJson(factor));
});

export const listUserPasskeys = endpoint({ guard: 'service' }, async ({ c, context }) => {
  const user = await requireUserFromPath(c, context);
  const rows = await context.database.query(sql`select id, friendly_name, created_at, last_used_at
    from auth.webauthn_credentials where user_id = ${user.id} order by created_at`);
  return c.json(rows);
});

export const deleteUserPasskey = endpoint({ guard: 'service' }, async ({ c, context, client }) => {
  const user = await requireUserFromPath(c, context);
  const id = c.req.param('passkeyId') ?? '';
  await context.database.transaction(async (tx) => {
    await lockUser(tx, user.id);
    if (isUuid(id)) await revokePasskeySessions(tx, { userId: user.id, passkeyId: id, keepId: null });
    const [deleted] = isUuid(id)
      ? await tx.query(
          sql`delete from auth.webauthn_credentials where id = ${id} and user_id = ${user.id} returning id`,
        )
      : [];
    if (!deleted) throw new AuthError(404, 'webauthn_credential_not_found', 'Passkey not found');
    await sendSecurityNotice(tx, context, user, {
      kind: 'passkey_removed',
      client,
      source: 'secret_key',
      data: {},
    });
    await writeAuditEntry(tx, {
      action: 'passkey_deleted',
      actor: null,
      client,
      traits: { user_id: user.id, passkey_id: id },
    });
  });
  context.mailer.wake();
  return c.body(null, 204);
});
