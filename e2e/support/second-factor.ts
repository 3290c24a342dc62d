/** A code generator for a person of the tests, without clicking through the security page. */
import { TOTP } from 'otpauth';
import type { TestUser } from './users.ts';
import { requestOk } from './api.ts';
import type { Instance } from './instance.ts';

interface Enrolled {
  readonly id: string;
  readonly totp: { readonly secret: string };
}

interface Lifted {
  readonly totp: TOTP;
  /** Access token of the session that has passed the second step. */
  readonly token: string;
}

/** Gives the person a verified code generator; the codes of the step it was verified with are spent. */
export async function enroll(product: Instance, person: TestUser): Promise<Lifted> {
  const token = person.session.access_token;
  const body = { factor_type: 'totp', friendly_name: 'Pier phone' };
  const factor = (await requestOk(product, '/auth/v1/factors', { token, body })) as Enrolled;
  const totp = new TOTP({ secret: factor.totp.secret });
  const challenge = (await requestOk(product, `/auth/v1/factors/${factor.id}/challenge`, {
    token,
    method: 'POST',
  })) as { id: string };
  const lifted = (await requestOk(product, `/auth/v1/factors/${factor.id}/verify`, {
    token,
    body: { challenge_id: challenge.id, code: totp.generate() },
  })) as { access_token: string };
  return { totp, token: lifted.access_token };
}

/** A code of the step after the current one, which the service takes as well. */
export const nextCode = (totp: TOTP): string => totp.generate({ timestamp: Date.now() + 30_000 });
