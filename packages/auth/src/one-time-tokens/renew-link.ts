/** Extends the validity of a link whose email was queued for longer than the link takes to expire. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { hashLinkToken } from './one-time-tokens.ts';

/** A younger link is sent as it is. In seconds. */
const minAgeSeconds = 60;

/**
 * Starts the validity of the link again, with the same duration. Call it before the email is sent: until then, its
 * recipient does not have the link. Links that were consumed, replaced or purged are not renewed.
 *
 * @param link as `AuthEmail.link`
 * @returns the new expiry; null if the link was not renewed
 */
export async function renewLink(tx: Transaction, link: string, now: Date): Promise<Date | null> {
  const { searchParams } = new URL(link);
  const token = searchParams.get('token_hash') ?? searchParams.get('token')?.replace(/^pkce_/, '') ?? '';
  const [renewed] = await tx.query<{ expires_at: Date; flow_state_id: string | null }>(
    sql`update auth.one_time_tokens
        set expires_at = ${now}::timestamptz + (expires_at - created_at), created_at = ${now}
        where token_hash = ${hashLinkToken(token)}
          and created_at < ${now}::timestamptz - make_interval(secs => ${minAgeSeconds}::int)
        returning expires_at, flow_state_id`,
  );
  if (!renewed) return null;
  await tx.query(sql`update auth.flow_state set expires_at = greatest(expires_at, ${renewed.expires_at})
    where id = ${renewed.flow_state_id}::uuid`);
  return renewed.expires_at;
}
