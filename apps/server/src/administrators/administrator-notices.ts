/**
 * Emails to all other administrators when an administrator is invited, removed or restored, when the end of a role changes, when
 * an invitation is accepted or its link is created, and when the requirement of a second factor changes.
 */
import type { ClientInfo } from '@lanternrock/auth';
import { toNoticeOrigin } from '@lanternrock/auth/notice-origin';
import { type Transaction, sql } from '@lanternrock/postgres';
import type { InvitationEvent, RequirementEvent } from '../mail/email-job.ts';
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
  const member = account && { account: account.name, accountId: account.id };
  const data = { event, user: email, actor, ...member, ...toOrigin({ actorId, client, now }) };
  for (const { id, email: to } of await listOtherAdministrators(tx, actorId))
    await outbox.enqueue(tx, { kind: 'administrator_invited', to, userId: id, data });
}

type Origin = Pick<AdministratorChange, 'actorId' | 'client' | 'now'>;

const toOrigin = ({ actorId, client, now }: Origin) => {
  if (actorId === null) return { at: now.toISOString(), source: 'command_line' as const };
  return client ? toNoticeOrigin({ client, now }) : { at: now.toISOString() };
};

/** Who sends the notices of a change, from where. */
export interface NoticeSender {
  readonly outbox: Pick<Outbox, 'enqueue' | 'wake'>;
  readonly actorId: string | null;
  readonly client: ClientInfo;
  readonly now: (tx: Transaction) => Promise<Date>;
}

interface AccessChange {
  readonly event: 'removed' | 'restored' | 'end_changed';
  /** A user without an email address gets no email. */
  readonly user: { readonly id: string; readonly email: string | null };
  /** The new end of the role, or the end of a restored role that has passed; null for none. */
  readonly endsAt: Date | null;
}

/** Enqueues the emails about a change of the access of a user: to the user, and to all others but the actor. */
export async function notifyOfAccess(
  tx: Transaction,
  { outbox, ...sender }: NoticeSender,
  { event, user, endsAt }: AccessChange,
): Promise<void> {
  const actor = await readActor(tx, sender.actorId);
  const data = {
    user: user.email ?? '',
    actor,
    ...(endsAt && { endsAt: endsAt.toISOString() }),
    ...toOrigin({ ...sender, now: await sender.now(tx) }),
  };
  const kind = 'administrator_changed';
  if (user.email !== null)
    await outbox.enqueue(tx, {
      kind,
      to: user.email,
      userId: user.id,
      data: { event: `own_${event}`, ...data },
    });
  for (const { id, email: to } of await listOtherAdministrators(tx, sender.actorId))
    if (id !== user.id) await outbox.enqueue(tx, { kind, to, userId: id, data: { event, ...data } });
}

/** Enqueues the emails about the requirement of a second factor. @param dueAt null if there is none any longer */
export async function notifyOfRequirement(
  tx: Transaction,
  { outbox, ...sender }: NoticeSender,
  dueAt: Date | null,
): Promise<void> {
  const event: RequirementEvent = dueAt === null ? 'factor_not_required' : 'factor_required';
  const data = {
    event,
    user: '',
    actor: await readActor(tx, sender.actorId),
    ...(dueAt && { dueAt: dueAt.toISOString() }),
    ...toOrigin({ ...sender, now: await sender.now(tx) }),
  };
  for (const { id, email: to } of await listOtherAdministrators(tx, sender.actorId))
    await outbox.enqueue(tx, { kind: 'administrator_changed', to, userId: id, data });
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
