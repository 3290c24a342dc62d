/**
 * Emails to all other administrators when an administrator is invited, when the invitation is accepted, and when an
 * administrator creates the link of an invitation.
 */
import type { ClientInfo } from '@lanternrock/auth';
import { toNoticeOrigin } from '@lanternrock/auth/notice-origin';
import { type Transaction, sql } from '@lanternrock/postgres';
import type { InvitationEvent } from '../mail/email-job.ts';
import type { Outbox } from '../mail/outbox.ts';

interface AdministratorChange {
  readonly event: InvitationEvent;
  /** The invited email address. */
  readonly email: string;
  /** Of the invitation of a member. */
  readonly account?: { readonly id: string; readonly name: string };
  /** The acting administrator, or the user who accepts; null for the command line. They get no email. */
  readonly actorId: string | null;
  /** Absent if unknown. */
  readonly client?: ClientInfo | undefined;
  readonly now: Date;
}

/** Enqueues the emails in the transaction of the change. The caller wakes the outbox after the commit. */
export async function notifyAdministrators(
  tx: Transaction,
  outbox: Pick<Outbox, 'enqueue'>,
  { event, email, account, actorId, client, now }: AdministratorChange,
): Promise<void> {
  const actor = event === 'accepted' ? '' : await readActor(tx, actorId);
  const origin =
    actorId === null
      ? { at: now.toISOString(), source: 'command_line' as const }
      : client
        ? toNoticeOrigin({ client, now })
        : { at: now.toISOString() };
  const member = account && { account: account.name, accountId: account.id };
  const data = { event, user: email, actor, ...member, ...origin };
  for (const administrator of await listOtherAdministrators(tx, actorId))
    await outbox.enqueue(tx, {
      kind: 'administrator_invited',
      to: administrator.email,
      userId: administrator.id,
      data,
    });
}

async function readActor(tx: Transaction, id: string | null): Promise<string> {
  const [user] = await tx.query<{ email: string | null }>(
    sql`select email from auth.users where id = ${id}::uuid`,
  );
  return user?.email ?? 'The operator of the service';
}

/** Returns the administrators who can sign in and have an email address, except one user. */
export const listOtherAdministrators = (
  tx: Transaction,
  exceptId: string | null,
): Promise<{ id: string; email: string }[]> =>
  tx.query(sql`select id, email from private.active_administrators
    where id is distinct from ${exceptId}::uuid and email is not null order by email`);
