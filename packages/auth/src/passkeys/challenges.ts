/** Challenges of passkey ceremonies; each can be consumed once. */
import { randomUUID } from 'node:crypto';
import { sql } from '@lanternrock/postgres';
import { addSeconds } from '@lanternrock/postgres/clock';
import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import { isUuid } from '@lanternrock/contract/uuid';

const challengeTtlSeconds = 300;

interface StoredChallenge<Options> {
  readonly challenge_id: string;
  readonly options: Options;
  readonly expires_at: number;
}

/**
 * Stores a challenge. It replaces the earlier one of the user, so that requests cannot fill the table.
 *
 * @param userId null for a sign-in, where the credential identifies the user
 */
export async function storeChallenge<Options extends { readonly challenge: string }>(
  context: AuthContext,
  userId: string | null,
  options: Options,
): Promise<StoredChallenge<Options>> {
  const id = randomUUID();
  const now = await context.now(context.database);
  const expiresAt = addSeconds(now, challengeTtlSeconds);
  await context.database.transaction((tx) =>
    tx.query(sql`insert into auth.webauthn_challenges (id, user_id, challenge, expires_at)
      values (${id}, ${userId}, ${options.challenge}, ${expiresAt})
      on conflict (user_id) do update set (id, challenge, expires_at) =
        (excluded.id, excluded.challenge, excluded.expires_at)`),
  );
  return { challenge_id: id, options, expires_at: Math.floor(expiresAt.getTime() / 1000) };
}

/**
 * Deletes a challenge and returns it, so it can be verified only once.
 *
 * @throws AuthError 400; 403 `session_not_found` in a signed-in call whose session was revoked
 */
export async function consumeChallenge(
  context: AuthContext,
  id: string,
  userId: string | null,
): Promise<string> {
  const [row] = isUuid(id)
    ? await context.database.transaction((tx) =>
        tx.query<{ challenge: string; expires_at: Date }>(sql`delete from auth.webauthn_challenges
          where id = ${id} and user_id is not distinct from ${userId}::uuid returning challenge, expires_at`),
      )
    : [];
  if (!row) throw new AuthError(400, 'webauthn_challenge_not_found', 'Challenge not found or already used');
  if (row.expires_at <= (await context.now(context.database)))
    throw new AuthError(400, 'webauthn_challenge_expired', 'Challenge has expired');
  return row.challenge;
}
