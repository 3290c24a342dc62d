/** Registering and keeping passkeys (auth contract 6.6). */
import {
  generateRegistrationOptions,
  verifyRegistrationResponse,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { codePoints } from '@lanternrock/contract/text';
import type { Context } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import { DatabaseFailure } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { Refusal } from '../../errors.ts';
import { writeAudit } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import { requireSession, type Person } from '../sessions/bearer.ts';
import { passkeysDisabled } from '../disabled.ts';
import { notify } from '../notify.ts';
import { readBody } from '../request-body.ts';
import { isUuid } from '../uuid.ts';
import { relyingParty } from './webauthn-site.ts';
import { storeChallenge, takeChallenge } from './challenges.ts';

const mostPasskeys = 10;

interface PasskeyRow {
  readonly id: string;
  readonly credential_id: string;
  readonly friendly_name: string | null;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

const shown = ({ id, friendly_name, created_at, last_used_at }: PasskeyRow): Record<string, unknown> => ({
  id,
  ...(friendly_name === null ? {} : { friendly_name }),
  created_at: created_at.toISOString(),
  ...(last_used_at === null ? {} : { last_used_at: last_used_at.toISOString() }),
});

/** Somebody with a second factor manages passkeys only after having shown it. */
async function requireOwner(c: Context<AppEnv>, context: AuthContext): Promise<Person> {
  if (!context.config.PASSKEYS) throw passkeysDisabled();
  return requireSession(c, context);
}

async function passkeysOf(context: AuthContext, userId: string): Promise<PasskeyRow[]> {
  return context.database.query<PasskeyRow>(
    sql`select * from auth.webauthn_credentials where user_id = ${userId} order by created_at, id`,
  );
}

export async function registrationOptions(c: Context<AppEnv>, context: AuthContext): Promise<Response> {
  const { user } = await requireOwner(c, context);
  const known = await passkeysOf(context, user.id);
  if (known.length >= mostPasskeys)
    throw new Refusal(422, 'too_many_passkeys', 'Maximum number of passkeys reached');
  const { id, name } = relyingParty(context.config);
  const options = await generateRegistrationOptions({
    rpID: id,
    rpName: name,
    userName: user.email ?? user.phone ?? user.id,
    userID: new TextEncoder().encode(user.id),
    attestationType: 'none',
    timeout: 300_000,
    excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'preferred',
    },
  });
  return c.json(await storeChallenge(context, user.id, options));
}

export async function registrationVerify(c: Context<AppEnv>, context: AuthContext): Promise<Response> {
  const { user, caller } = await requireOwner(c, context);
  const body = await readBody(c);
  const response = body.object('credential');
  const challenge = await takeChallenge(context, body.text('challenge_id'), user.id);
  const { id, origin } = relyingParty(context.config);
  const verification = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
  }).catch(() => null);
  if (!verification?.verified)
    throw new Refusal(400, 'webauthn_verification_failed', 'Credential verification failed');
  const { credential } = verification.registrationInfo;
  const name = body.text('friendly_name').slice(0, 120) || null;
  const passkey = await context.database
    .transaction(async (tx) => {
      const [row] = await tx.query<PasskeyRow>(sql`insert into auth.webauthn_credentials
          (user_id, credential_id, public_key, sign_count, transports, friendly_name, created_at)
        values (${user.id}, ${credential.id}, ${Buffer.from(credential.publicKey)}, ${credential.counter},
          ${JSON.stringify(credential.transports ?? [])}::jsonb, ${name}, ${context.now()}) returning *`);
      await notify(tx, context, user, 'passkey_added');
      await writeAudit(tx, {
        action: 'passkey_created',
        actor: user,
        caller,
        traits: { passkey_id: row?.id },
      });
      return row;
    })
    .catch((error: unknown) => {
      if (!(error instanceof DatabaseFailure) || error.code !== '23505') throw error;
      throw new Refusal(422, 'webauthn_credential_exists', 'This passkey is registered already');
    });
  if (!passkey) throw new Error('No passkey was stored');
  context.outbox.wake();
  return c.json(shown(passkey));
}

export async function listPasskeys(c: Context<AppEnv>, context: AuthContext): Promise<Response> {
  const { user } = await requireOwner(c, context);
  return c.json((await passkeysOf(context, user.id)).map(shown));
}

const notFound = (): Refusal => new Refusal(404, 'validation_failed', 'Passkey not found');

export async function renamePasskey(c: Context<AppEnv>, context: AuthContext): Promise<Response> {
  const { user, caller } = await requireOwner(c, context);
  const name = (await readBody(c)).text('friendly_name').trim();
  if (name === '' || codePoints(name) > 120) {
    throw new Refusal(400, 'validation_failed', 'friendly_name must have 1 to 120 characters');
  }
  const id = c.req.param('id') ?? '';
  if (!isUuid(id)) throw notFound();
  const passkey = await context.database.transaction(async (tx) => {
    const [row] = await tx.query<PasskeyRow>(sql`update auth.webauthn_credentials set friendly_name = ${name}
      where id = ${id} and user_id = ${user.id} returning *`);
    if (!row) throw notFound();
    await writeAudit(tx, { action: 'passkey_updated', actor: user, caller, traits: { passkey_id: id } });
    return row;
  });
  return c.json(shown(passkey));
}

export async function deletePasskey(c: Context<AppEnv>, context: AuthContext): Promise<Response> {
  const { user, caller } = await requireOwner(c, context);
  const id = c.req.param('id') ?? '';
  if (!isUuid(id)) throw notFound();
  await context.database.transaction(async (tx) => {
    const [row] = await tx.query(
      sql`delete from auth.webauthn_credentials where id = ${id} and user_id = ${user.id} returning id`,
    );
    if (!row) throw notFound();
    await notify(tx, context, user, 'passkey_removed');
    await writeAudit(tx, { action: 'passkey_deleted', actor: user, caller, traits: { passkey_id: id } });
  });
  context.outbox.wake();
  return c.body(null, 204);
}
