/** Verifies the attestation response of an authenticator, for passkeys and security keys. */
import {
  verifyRegistrationResponse,
  type RegistrationResponseJSON,
  type VerifiedRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import type { AuthSettings } from '../settings.ts';
import { toRelyingParty } from './relying-party.ts';

/** Values of the WebAuthn standard. The client sends the list, which is not signed. */
const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** Maximum length of a credential ID in base64url: the 1,023 bytes of the standard. */
const maxIdLength = 1364;

/** Maximum length of an attestation object in base64url. The longest certificate chains need half of it. */
const maxAttestationLength = 16_384;

/**
 * Verifies a registration without its attestation statement.
 *
 * @param response the credential from the client, not yet validated
 * @returns null for an invalid response
 */
export async function verifyRegistrationCredential(
  config: AuthSettings,
  challenge: string,
  response: unknown,
): Promise<VerifiedRegistrationResponse['registrationInfo'] | null> {
  const { id, origin } = toRelyingParty(config);
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: removeAttestation(response as RegistrationResponseJSON),
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
    });
    if (!verified || registrationInfo.credential.id.length > maxIdLength) return null;
    const { credential } = registrationInfo;
    const transports = knownTransports.filter((name) => credential.transports?.includes(name));
    return { ...registrationInfo, credential: { ...credential, transports } };
  } catch {
    return null;
  }
}

/**
 * Replaces the attestation by `none`, as clients do when the options ask for none (WebAuthn level 3, section 5.1.3).
 * The library fetches certificate revocation lists from URLs that the statement's certificates name, so a statement
 * must never reach it.
 */
function removeAttestation(credential: RegistrationResponseJSON): RegistrationResponseJSON {
  const { attestationObject } = credential.response;
  if (attestationObject.length > maxAttestationLength) throw new Error('The attestation object is too large');
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData');
  const none = new Map<string, string | Map<string, never> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, never>()],
    ['authData', authData],
  ]);
  return {
    ...credential,
    response: {
      ...credential.response,
      attestationObject: isoBase64URL.fromBuffer(isoCBOR.encode(none)),
    },
  };
}
