/** Enrolls an authenticator app for a test user through the API. */
import { TOTP } from 'otpauth';
import type { StoredSession, TestUser } from './users.ts';
import { requestOk } from './api.ts';
import type { Instance } from './instance.ts';

interface Enrolled {
  readonly id: string;
  readonly totp: { readonly secret: string };
}

interface ElevatedSession {
  readonly factorId: string;
  readonly totp: TOTP;
  /** At AAL2. */
  readonly session: StoredSession;
  /** AAL2 access token. */
  readonly token: string;
}

/** Verifies a code of the factor. Returns the session at AAL2. */
export async function elevate(
  instance: Instance,
  token: string,
  factorId: string,
  code: string,
): Promise<StoredSession> {
  const challenge = (await requestOk(instance, `/auth/v1/factors/${factorId}/challenge`, {
    token,
    method: 'POST',
  })) as { id: string };
  const body = { challenge_id: challenge.id, code };
  return (await requestOk(instance, `/auth/v1/factors/${factorId}/verify`, { token, body })) as StoredSession;
}

/** Enrolls and verifies an authenticator app. The code of the current time step is consumed. */
export async function enroll(
  instance: Instance,
  user: TestUser,
  name = 'Pier phone',
): Promise<ElevatedSession> {
  const token = user.session.access_token;
  const body = { factor_type: 'totp', friendly_name: name };
  const factor = (await requestOk(instance, '/auth/v1/factors', { token, body })) as Enrolled;
  const totp = new TOTP({ secret: factor.totp.secret });
  const session = await elevate(instance, token, factor.id, totp.generate());
  return { factorId: factor.id, totp, session, token: session.access_token };
}

/** Returns the code of the next time step, which the service accepts as well. */
export const nextCode = (totp: TOTP): string => totp.generate({ timestamp: Date.now() + 30_000 });
