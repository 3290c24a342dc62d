/** Signs in with a passkey. */
import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
  type AuthenticationResponseJSON,
} from '@simplewebauthn/server';
import { sql } from '@lanternrock/postgres';
import { AuthError, userBannedError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { buildTokenResponse } from '../sessions/sessions.ts';
import { createSession } from '../sessions/session-writes.ts';
import { isBanned, findUserById, lockUser } from '../users/user-records.ts';
import { passkeysGiveAal2 } from '../settings.ts';
import { toRelyingParty, requirePasskeys } from './relying-party.ts';
import { storeChallenge, consumeChallenge } from './challenges.ts';

const verificationError = (): AuthError =>
  new AuthError(400, 'webauthn_verification_failed', 'Credential verification failed');

export const authenticationOptions = endpoint(
  { guard: 'anyone', limit: 'passkeys', check: requirePasskeys, body: 'optional', captcha: true },
  async ({ c, context }) => {
    // Without a list of credentials, which would reveal the users who have one.
    const options = await generateAuthenticationOptions({
      rpID: toRelyingParty(context.config).id,
      userVerification: 'preferred',
      timeout: 300_000,
    });
    return c.json(await storeChallenge(context, null, options));
  },
);

interface CredentialRow {
  readonly id: string;
  readonly user_id: string;
  readonly credential_id: string;
  readonly public_key: Uint8Array;
  /** bigint, as text. */
  readonly sign_count: string;
}

export const verifyAuthentication = endpoint(
  { guard: 'anyone', limit: 'passkeys', check: requirePasskeys, body: 'required' },
  async ({ c, context, client, body }) => {
    const response = body.getObject('credential');
    const challenge = await consumeChallenge(context, body.getString('challenge_id'), null);
    const credentialId = response?.['id'];
    if (typeof credentialId !== 'string') throw verificationError();
    const [credential] = await context.database.query<CredentialRow>(
      sql`select * from auth.webauthn_credentials where credential_id = ${credentialId}`,
    );
    if (!credential) throw verificationError();
    const { newCounter, userVerified } = await verifyCredential(context, credential, challenge, response);
    const user = await findUserById(context.database, credential.user_id);
    if (!user) throw verificationError();
    const now = await context.now(context.database);
    if (isBanned(user, now)) throw userBannedError();
    if (!user.confirmed_at) throw new AuthError(403, 'email_not_confirmed', 'Email not confirmed');
    const activeSession = await context.database.transaction(async (tx) => {
      // A removal locks the user as well, so a passkey that still exists after the lock is not removed concurrently.
      await lockUser(tx, user.id);
      const [updated] = await tx.query(sql`update auth.webauthn_credentials set sign_count = ${newCounter},
        last_used_at = ${now}, user_verified = user_verified or ${userVerified} where id = ${credential.id} returning id`);
      if (!updated) throw verificationError();
      const passkey = { id: credential.id, givesAal2: userVerified && passkeysGiveAal2(context.config) };
      const session = await createSession(tx, context, { user, method: 'passkey', client, passkey });
      await writeAuditEntry(tx, { action: 'login', actor: user, client, traits: { provider: 'passkey' } });
      return session;
    });
    return c.json(await buildTokenResponse(context, activeSession));
  },
);

async function verifyCredential(
  context: AuthContext,
  credential: CredentialRow,
  challenge: string,
  response: unknown,
): Promise<{ readonly newCounter: number; readonly userVerified: boolean }> {
  const { id, origin } = toRelyingParty(context.config);
  const verification = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
    credential: {
      id: credential.credential_id,
      publicKey: new Uint8Array(credential.public_key),
      counter: Number(credential.sign_count),
    },
  }).catch(() => null);
  if (!verification?.verified) throw verificationError();
  return verification.authenticationInfo;
}
