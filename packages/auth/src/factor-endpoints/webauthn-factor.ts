/** Security keys as a second factor, with @simplewebauthn/server. */
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { AuthContext } from '../auth-context.ts';
import { verifyRegistrationCredential } from '../passkeys/verify-registration.ts';
import { toRelyingParty } from '../passkeys/relying-party.ts';
import type { FactorRow, StoredCredential } from '../factors/factor-records.ts';

const timeoutMs = 300_000;

export function buildCredentialCreationOptions(
  { config }: AuthContext,
  factor: FactorRow,
  userName: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { id, name } = toRelyingParty(config);
  return generateRegistrationOptions({
    rpID: id,
    rpName: name,
    userName,
    userID: new TextEncoder().encode(factor.user_id),
    attestationType: 'none',
    timeout: timeoutMs,
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });
}

export function buildCredentialRequestOptions(
  { config }: AuthContext,
  credential: StoredCredential,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const transports = credential.transports as AuthenticatorTransport[];
  return generateAuthenticationOptions({
    rpID: toRelyingParty(config).id,
    allowCredentials: [{ id: credential.id, transports }],
    userVerification: 'preferred',
    timeout: timeoutMs,
  });
}

export interface VerifiedCredential {
  readonly credential: StoredCredential;
  readonly aaguid: string | null;
}

/** @returns null for an invalid response, which never throws */
export async function verifyAttestation(
  context: AuthContext,
  challenge: string,
  response: unknown,
): Promise<VerifiedCredential | null> {
  const registration = await verifyRegistrationCredential(context.config, challenge, response);
  if (!registration) return null;
  const { credential, aaguid } = registration;
  const stored = {
    id: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: credential.transports ?? [],
  };
  return { credential: stored, aaguid };
}

/** @returns the credential with its new counter, null for an invalid response */
export async function verifyAssertion(
  context: AuthContext,
  challenge: string,
  credential: StoredCredential,
  response: unknown,
): Promise<VerifiedCredential | null> {
  const { id, origin } = toRelyingParty(context.config);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
      credential: {
        id: credential.id,
        publicKey: new Uint8Array(Buffer.from(credential.publicKey, 'base64url')),
        counter: credential.counter,
        transports: credential.transports as AuthenticatorTransport[],
      },
    });
    if (!verified) return null;
    return { credential: { ...credential, counter: authenticationInfo.newCounter }, aaguid: null };
  } catch {
    return null;
  }
}
