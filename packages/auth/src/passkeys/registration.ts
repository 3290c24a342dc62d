/** Registers, lists, renames and deletes passkeys. */
import { generateRegistrationOptions } from '@simplewebauthn/server';
import { sql } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import { readMethodName } from '../factors/method-name.ts';
import { endpoint, type Call } from '../endpoint/endpoint.ts';
import { findPasskeyError, requirePasskey } from '../endpoint/require-passkey.ts';
import { sendSecurityNotice } from '../security-notices.ts';
import { endPasskeyAal2, revokePasskeySessions } from '../sessions/session-writes.ts';
import { passkeysGiveAal2 } from '../settings.ts';
import { isUniqueViolation } from '../users/unique-violations.ts';
import { isUuid } from '@lanternrock/contract/uuid';
import { verifyRegistrationCredential } from './verify-registration.ts';
import { toRelyingParty, requirePasskeys } from './relying-party.ts';
import { storeChallenge, consumeChallenge } from './challenges.ts';

const maxPasskeys = 10;
const maxNameLength = 120;

interface PasskeyRow {
  readonly id: string;
  readonly credential_id: string;
  readonly friendly_name: string | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly user_verified: boolean;
}

/** `aal` is the assurance level that the next sign-in with the passkey is expected to have. */
const toPasskeyJson = (
  { config }: AuthContext,
  { id, friendly_name, created_at, last_used_at, user_verified }: PasskeyRow,
): Record<string, unknown> => ({
  id,
  aal: user_verified && passkeysGiveAal2(config) ? 'aal2' : 'aal1',
  friendly_name: friendly_name ?? undefined,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString(),
});

/** A user with a second factor can manage passkeys only at AAL2. */
const readSpec = { guard: 'session', check: requirePasskeys } as const;
const changeSpec = { ...readSpec, limit: 'methods', fresh: true } as const;
const addOrRemoveSpec = {
  ...changeSpec,
  check: (call: Call<'session'>) =>
    requirePasskeys(call) ?? findPasskeyError(call.context.database, call.context, call),
} as const;

async function findPasskeys(context: AuthContext, userId: string): Promise<PasskeyRow[]> {
  return context.database.query<PasskeyRow>(
    sql`select id, credential_id, friendly_name, created_at, last_used_at, user_verified
      from auth.webauthn_credentials where user_id = ${userId} order by created_at, id`,
  );
}

export const registrationOptions = endpoint(addOrRemoveSpec, async ({ c, context, user }) => {
  const existing = await findPasskeys(context, user.id);
  if (existing.length >= maxPasskeys)
    throw new AuthError(422, 'too_many_passkeys', 'Maximum number of passkeys reached');
  const { id, name } = toRelyingParty(context.config);
  const options = await generateRegistrationOptions({
    rpID: id,
    rpName: name,
    userName: user.email ?? user.phone ?? user.id,
    userID: new TextEncoder().encode(user.id),
    attestationType: 'none',
    timeout: 300_000,
    excludeCredentials: existing.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'preferred',
    },
  });
  return c.json(await storeChallenge(context, user.id, options));
});

export const verifyRegistration = endpoint({ ...addOrRemoveSpec, body: 'required' }, async (call) => {
  const { c, context, user, client, body } = call;
  const name = readMethodName(body, 'friendly_name', maxNameLength) || null;
  const response = body.getObject('credential');
  const challenge = await consumeChallenge(context, body.getString('challenge_id'), user.id);
  const registration = await verifyRegistrationCredential(context.config, challenge, response);
  if (!registration)
    throw new AuthError(400, 'webauthn_verification_failed', 'Credential verification failed');
  const { credential, userVerified } = registration;
  const passkey = await context.database
    .transaction(async (tx) => {
      await requirePasskey(tx, context, call);
      const [row] = await tx.query<PasskeyRow>(sql`insert into auth.webauthn_credentials
          (user_id, credential_id, public_key, sign_count, transports, friendly_name, user_verified, created_at)
        values (${user.id}, ${credential.id}, ${Buffer.from(credential.publicKey)}, ${credential.counter},
          ${JSON.stringify(credential.transports ?? [])}::jsonb, ${name}, ${userVerified}, ${await context.now(tx)})
        returning *`);
      await sendSecurityNotice(tx, context, user, { kind: 'passkey_added', client, data: {} });
      await writeAuditEntry(tx, {
        action: 'passkey_created',
        actor: user,
        client,
        traits: { passkey_id: row?.id },
      });
      return row;
    })
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      throw new AuthError(422, 'webauthn_credential_exists', 'This passkey is already registered');
    });
  if (!passkey) throw new Error('No passkey was stored');
  context.mailer.wake();
  return c.json(toPasskeyJson(context, passkey));
});

export const listPasskeys = endpoint(readSpec, async ({ c, context, user }) => {
  return c.json((await findPasskeys(context, user.id)).map((passkey) => toPasskeyJson(context, passkey)));
});

const notFoundError = (): AuthError => new AuthError(404, 'validation_failed', 'Passkey not found');

export const renamePasskey = endpoint(
  { ...changeSpec, body: 'required' },
  async ({ c, context, user, client, body }) => {
    const name = readMethodName(body, 'friendly_name', maxNameLength);
    if (name === '') throw new AuthError(400, 'validation_failed', 'friendly_name is required');
    const id = c.req.param('id') ?? '';
    if (!isUuid(id)) throw notFoundError();
    const passkey = await context.database.transaction(async (tx) => {
      const [row] =
        await tx.query<PasskeyRow>(sql`update auth.webauthn_credentials set friendly_name = ${name}
      where id = ${id} and user_id = ${user.id} returning *`);
      if (!row) throw notFoundError();
      await writeAuditEntry(tx, {
        action: 'passkey_updated',
        actor: user,
        client,
        traits: { passkey_id: id },
      });
      return row;
    });
    return c.json(toPasskeyJson(context, passkey));
  },
);

/** Revokes the sessions that signed in with the passkey. The session of the call stays, at AAL1 without another factor. */
export const deletePasskey = endpoint(addOrRemoveSpec, async (call) => {
  const { c, context, user, session, client } = call;
  const id = c.req.param('id')?.toLowerCase() ?? '';
  if (!isUuid(id)) throw notFoundError();
  await context.database.transaction(async (tx) => {
    await requirePasskey(tx, context, call);
    if (session.passkey_id === id)
      await endPasskeyAal2(tx, session.id, await context.now(tx), { isRemoved: true });
    await revokePasskeySessions(tx, { userId: user.id, passkeyId: id, keepId: session.id });
    const [row] = await tx.query(
      sql`delete from auth.webauthn_credentials where id = ${id} and user_id = ${user.id} returning id`,
    );
    if (!row) throw notFoundError();
    await sendSecurityNotice(tx, context, user, { kind: 'passkey_removed', client, data: {} });
    await writeAuditEntry(tx, { action: 'passkey_deleted', actor: user, client, traits: { passkey_id: id } });
  });
  context.mailer.wake();
  return c.body(null, 204);
});
