/** `POST /reauthenticate`: records a reauthentication of the session. Supabase Auth has only the `GET`. */
import type { Transaction } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { findFactorStatus, factorNotFoundError } from '../factors/factor-records.ts';
import { withVerifiedFactor } from '../factor-endpoints/verify-factor.ts';
import { verifyOwnerCredentials } from '../endpoint/step-up.ts';
import { markSessionFresh } from '../sessions/session-writes.ts';

/**
 * Accepts `current_password`, `nonce`, or `factor_id` with the fields of `POST /factors/{id}/verify`. Returns `{}`.
 */
export const reauthenticate = endpoint(
  { guard: 'session', allow: ['factor'], limit: 'stepUp', body: 'required' },
  async (call) => {
    const { c, context, user, session, client, body } = call;
    const markReauthenticated = async (tx: Transaction): Promise<void> => {
      await markSessionFresh(tx, session.id, await context.now(tx));
      await writeAuditEntry(tx, { action: 'user_reauthenticated', actor: user, client });
    };
    const factorId = body.getString('factor_id');
    if (factorId !== '') {
      if (findFactorStatus(user, factorId) !== 'verified') throw factorNotFoundError();
      await withVerifiedFactor(call, factorId, body, markReauthenticated);
    } else if (user.has_verified_factor) {
      // A password or an emailed code is not sufficient for a user with a second factor.
      throw new AuthError(400, 'reauthentication_needed', 'Verify your second factor');
    } else if (await verifyOwnerCredentials(context, call, body, { consume: true })) {
      await context.database.transaction(markReauthenticated);
    } else {
      const message = 'One of current_password, nonce and factor_id must be set';
      throw new AuthError(400, 'validation_failed', message);
    }
    return c.json({});
  },
);
