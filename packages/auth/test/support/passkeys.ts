/** Requests of the passkey ceremonies with a software security key. */
import type { AuthRequester, AuthResponse } from './auth-requests.ts';
import type { SoftwareAuthenticator } from './software-authenticator.ts';

/** Registers a passkey in the session of `bearer`. Returns the response of the last request that was sent. */
export async function registerPasskey(
  auth: AuthRequester,
  bearer: string,
  key: SoftwareAuthenticator,
): Promise<AuthResponse> {
  const options = await auth('POST', '/passkeys/registration/options', { bearer, body: {} });
  if (options.status !== 200) return options;
  const credential = key.create(options.json['options'] as Parameters<typeof key.create>[0]);
  const body = { challenge_id: options.json['challenge_id'], credential };
  return auth('POST', '/passkeys/registration/verify', { bearer, body });
}

export async function signInWithPasskey(
  auth: AuthRequester,
  key: SoftwareAuthenticator,
): Promise<AuthResponse> {
  const { json } = await auth('POST', '/passkeys/authentication/options', { body: {} });
  const credential = key.get(json['options'] as Parameters<typeof key.get>[0]);
  return auth('POST', '/passkeys/authentication/verify', {
    body: { challenge_id: json['challenge_id'], credential },
  });
}
