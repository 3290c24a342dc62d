/** A verified authenticator app for a signed-in person. */
import { Secret, TOTP } from 'otpauth';
import type { AuthResponse, AuthRequester } from './auth-requests.ts';

export interface SecondFactor {
  readonly id: string;
  /** The code of the running time step, or of one before or after it. */
  code(steps?: number): string;
  /** Asks for a challenge and gives its id. */
  challenge(bearer: string): Promise<string>;
  /** Sends a code for a challenge. */
  verify(bearer: string, challengeId: string, code: string): Promise<AuthResponse>;
  /** Challenge and right code in one. */
  prove(bearer: string): Promise<AuthResponse>;
}

/** Enrols and proves; the session of `bearer` is aal2 then. @param now the service's clock */
export async function addSecondFactor(
  auth: AuthRequester,
  bearer: string,
  now: () => Date,
): Promise<SecondFactor & { readonly lifted: AuthResponse }> {
  const { json } = await auth('POST', '/factors', { bearer, body: { factor_type: 'totp' } });
  const id = String(json['id']);
  const { secret } = json['totp'] as { secret: string };
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const factor: SecondFactor = {
    id,
    code: (steps = 0) => totp.generate({ timestamp: now().getTime() + steps * 30_000 }),
    challenge: async (token) =>
      String((await auth('POST', `/factors/${id}/challenge`, { bearer: token })).json['id']),
    verify: (token, challengeId, code) =>
      auth('POST', `/factors/${id}/verify`, { bearer: token, body: { challenge_id: challengeId, code } }),
    prove: async (token) => factor.verify(token, await factor.challenge(token), factor.code()),
  };
  return { ...factor, lifted: await factor.prove(bearer) };
}
