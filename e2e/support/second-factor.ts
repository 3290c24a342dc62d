/** Enrolls an authenticator app for a test user through the API. */
import { TOTP } from 'otpauth';
import type { TestUser } from './users.ts';
import { requestOk } from './api.ts';
import type { Instance } from './instance.ts';

interface Enrolled {
  readonly id: string;
  readonly totp: { readonly secret: string };
}

interface ElevatedSession {
  readonly totp: TOTP;
  /** AAL2 access token. */
  readonly token: string;
}

/** Enrolls and verifies an authenticator app. The code of the current time step is consumed. */
export async function enroll(instance: Instance, user: TestUser): Promise<ElevatedSession> {
  const token = user.session.access_token;
  const body = { factor_type: 'totp', friendly_name: 'Pier phone' };
  const factor = (await requestOk(instance, '/auth/v1/factors', { token, body })) as Enrolled;
  const totp = new TOTP({ secret: factor.totp.secret });
  const challenge = (await requestOk(instance, `/auth/v1/factors/${factor.id}/challenge`, {
    token,
    method: 'POST',
  })) as { id: string };
  const elevated = (await requestOk(instance, `/auth/v1/factors/${factor.id}/verify`, {
    token,
    body: { challenge_id: challenge.id, code: totp.generate() },
  })) as { access_token: string };
  return { totp, token: elevated.access_token };
}

/** Returns the code of the next time step, which the service accepts as well. */
export const nextCode = (totp: TOTP): string => totp.generate({ timestamp: Date.now() + 30_000 });
