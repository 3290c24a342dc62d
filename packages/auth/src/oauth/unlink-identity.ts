/** `DELETE /user/identities/{identity_id}`: unlinks an identity, but never the last one. */
import { sql } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { sendSecurityNotice } from '../security-notices.ts';
import { deleteOneTimeTokens } from '../users/revocation.ts';
import { replaceEmail } from '../users/contact-writes.ts';
import { updateProviders } from '../users/user-writes.ts';
import { isUuid } from '@lanternrock/contract/uuid';
import { requireLinking } from './authorize.ts';

export const unlinkIdentity = endpoint(
  { guard: 'user', limit: 'methods', check: requireLinking, fresh: true },
  async ({ c, context, user, client }) => {
    const id = c.req.param('id') ?? '';
    if (!isUuid(id)) throw new AuthError(404, 'validation_failed', 'identity_id must be an UUID');
    const work = context.database.transaction(async (tx) => {
      const now = await context.now(tx);
      const identities = await tx.query<{
        id: string;
        provider: string;
        email: string | null;
        verified: boolean;
      }>(sql`
      select id, provider, email, coalesce((identity_data ->> 'email_verified')::boolean, false) as verified
      from auth.identities where user_id = ${user.id} order by created_at, id`);
      const identity = identities.find((candidate) => candidate.id === id.toLowerCase());
      if (!identity) throw new AuthError(422, 'identity_not_found', "Identity doesn't exist");
      if (identities.length === 1) {
        throw new AuthError(
          422,
          'single_identity_not_deletable',
          'User must have at least 1 identity after unlinking',
        );
      }
      await tx.query(sql`delete from auth.identities where id = ${identity.id}`);
      const remaining = identities.filter((candidate) => candidate !== identity);
      if (identity.email === user.email && !remaining.some((candidate) => candidate.email === user.email)) {
        // The user's address came from this identity. Only a verified address can replace it.
        const replacement = remaining.find((candidate) => candidate.email !== null && candidate.verified);
        if (!replacement && !user.phone_confirmed_at) throw noVerifiedEmailError();
        await replaceEmail(tx, user.id, replacement?.email ?? null, now);
        await deleteOneTimeTokens(tx, user.id);
      }
      await updateProviders(tx, user.id, now);
      await sendSecurityNotice(tx, context, user, {
        kind: 'identity_unlinked',
        client,
        data: { provider: identity.provider },
      });
      await writeAuditEntry(tx, {
        action: 'identity_unlinked',
        actor: user,
        client,
        traits: { provider: identity.provider },
      });
    });
    await work.catch((error: unknown) => {
      if (!(error instanceof AuthError) || error.code !== 'email_exists') throw error;
      const message = 'Unable to unlink identity due to email conflict';
      throw new AuthError(422, 'email_conflict_identity_not_deletable', message);
    });
    context.mailer.wake();
    return c.json({});
  },
);

const noVerifiedEmailError = (): AuthError =>
  new AuthError(
    422,
    'email_conflict_identity_not_deletable',
    'Unable to unlink identity: no other identity has a verified email address',
  );
