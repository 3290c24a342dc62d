/** A verified authenticator app for a signed-in user. */
import { Secret, TOTP } from 'otpauth';
import type { AuthResponse, AuthRequester } from './auth-requests.ts';

export interface SecondFactor {
  readonly id: string;
  /** Returns the code of the current time step, or of a step before or after it. */
  code(steps?: number): string;
  /** Creates a challenge and returns its ID. */
  challenge(bearer: string): Promise<string>;
  /** Sends a code for a challenge. */
  verify(bearer: string, challengeId: string, code: string): Promise<AuthResponse>;
  /** Creates a challenge and sends the right code. */
  verifyCode(bearer: string): Promise<AuthResponse>;
}

/**
 * Enrolls and verifies a factor, so that the session of `bearer` is at AAL2.
 *
 * @param now clock of the service
 */
export async function addSecondFactor(
  auth: AuthRequester,
  bearer: string,
  now: () => Date,
): Promise<SecondFactor & { readonly elevated: AuthResponse }> {
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
    verifyCode: async (token) => factor.verify(token, await factor.challenge(token), factor.code()),
  };
  return { ...factor, elevated: await factor.verifyCode(bearer) };
}
