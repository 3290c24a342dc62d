/** Remembers that the link of an invitation was opened, and by what as far as that can be told. */
import { type Transaction, sql } from '@lanternrock/postgres';

/** What mail scanners, link previews and scripts call themselves. */
const program = /bot\b|crawl|spider|scan|preview|headless|slurp|facebookexternalhit|python|curl|wget|java\//i;

/**
 * Programs that name themselves, and those that do not even claim to be a browser. A scanner that
 * imitates a browser cannot be told from a person, so this is for reading and decides nothing.
 */
const looksLikeProgram = (userAgent: string): boolean =>
  !userAgent.startsWith('Mozilla/5.0 (') || program.test(userAgent);

/** Keeps the first opening of each kind in the invitation's present life; opened again later, it starts anew. */
export async function recordLinkOpen(
  tx: Transaction,
  { invitationId, userAgent, now }: { invitationId: string; userAgent: string; now: Date },
): Promise<void> {
  await tx.query(
    sql`insert into private.invitation_openings as o (invitation_id, by_program, opened_at)
        values (${invitationId}, ${looksLikeProgram(userAgent)}, ${now})
        on conflict (invitation_id, by_program) do update set opened_at = excluded.opened_at
        where o.opened_at < (select i.invited_at from private.invitations i where i.id = o.invitation_id)`,
  );
}
