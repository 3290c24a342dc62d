/** Records that the link of an invitation was opened, by a browser or by an automated client. */
import { type Transaction, sql } from '@lanternrock/postgres';

/** User agents of email scanners, link previews and scripts. */
const automatedClient =
  /bot\b|crawl|spider|scan|preview|headless|slurp|facebookexternalhit|python|curl|wget|java\//i;

/**
 * Returns true if the user agent is not that of a browser. A scanner can imitate a browser, so the result is shown to
 * administrators and has no other effect.
 */
const isAutomatedClient = (userAgent: string): boolean =>
  !userAgent.startsWith('Mozilla/5.0 (') || automatedClient.test(userAgent);

/** Stores the time of the first open by each kind of client. A reopened invitation starts again. */
export async function recordLinkOpen(
  tx: Transaction,
  { invitationId, userAgent, now }: { invitationId: string; userAgent: string; now: Date },
): Promise<void> {
  await tx.query(
    sql`insert into private.invitation_openings as o (invitation_id, by_program, opened_at)
        values (${invitationId}, ${isAutomatedClient(userAgent)}, ${now})
        on conflict (invitation_id, by_program) do update set opened_at = excluded.opened_at
        where o.opened_at < (select i.invited_at from private.invitations i where i.id = o.invitation_id)`,
  );
}
