/** SQL of the delivery table (transactional outbox). Callers pass the current time. */
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { deleteExpired } from '@lanternrock/postgres/delete-expired';
import type { Keys } from '@lanternrock/auth/keys';
import { selectReserve } from './email-quota.ts';
import { succeeded, type DeliveryOutcome, type EmailJob, type EmailKind } from './email-job.ts';

/** Encrypts the link, the code and the data of a queued email. `context` binds the result to its row. */
export type DeliveryEncryptor = Pick<Keys, 'encrypt' | 'decrypt'>;

/** An email that this process has leased and sends now. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly job: EmailJob;
  readonly tries: number;
  /** Why the email is no longer needed; absent if it is needed. */
  readonly obsolete?: string;
}

interface NewDelivery {
  readonly id: string;
  readonly job: EmailJob;
  readonly now: Date;
  /** Set if the caller sends the email itself and needs the outcome; null leaves it to the worker. */
  readonly leaseUntil: Date | null;
}

const encryptionContext = (id: string): string => `delivery:${id}`;

type Secrets = Partial<Pick<EmailJob, 'link' | 'code' | 'data' | 'earlier' | 'omitted'>>;

export function encryptSecrets(
  encryptor: DeliveryEncryptor,
  id: string,
  { link, code, data, earlier, omitted }: EmailJob,
): Uint8Array {
  const secrets: Secrets = {
    ...(link ? { link } : {}),
    ...(code ? { code } : {}),
    data,
    ...(earlier ? { earlier } : {}),
    ...(omitted ? { omitted } : {}),
  };
  return encryptor.encrypt(new TextEncoder().encode(JSON.stringify(secrets)), encryptionContext(id));
}

export async function insertDelivery(
  tx: Transaction,
  encryptor: DeliveryEncryptor,
  { id, job, now, leaseUntil }: NewDelivery,
): Promise<void> {
  const attended = leaseUntil !== null;
  const reserve = selectReserve(job);
  await tx.query(
    sql`insert into private.deliveries
          (id, kind, recipient, user_id, invitation_id, member_invitation_id, attended, decoy, sealed, due_at, expires_at,
           lease_until, attempted_at, tries, created_at, inviter_kind, inviter, reserve)
        values (${id}, ${job.kind}, ${job.to}, ${job.userId ?? null}, ${job.invitationId ?? null},
                ${job.memberInvitationId ?? null}, ${attended},
                ${job.decoy ?? false}, ${Buffer.from(encryptSecrets(encryptor, id, job))}, ${now}, ${job.expiresAt ?? null},
                ${leaseUntil}, ${attended ? now : null}, ${attended ? 1 : 0}, ${now},
                ${job.inviter?.kind ?? null}, ${job.inviter?.name ?? null},
                case when ${reserve} <> 'recovery' or exists (
                  select from public.user_roles r where r.user_id = ${job.userId ?? null} and r.role = 'platform_admin'
                ) then ${reserve} else 'none' end)`,
  );
}

export interface DeliveryRow {
  id: string;
  kind: EmailKind;
  recipient: string;
  user_id: string | null;
  invitation_id: string | null;
  member_invitation_id: string | null;
  decoy: boolean;
  sealed: Buffer;
  tries: number;
  expires_at: Date | null;
}

/** Returns null if the secrets were encrypted with another key. */
export function tryParseJob(encryptor: DeliveryEncryptor, row: DeliveryRow): EmailJob | null {
  let secrets: Secrets;
  try {
    const plaintext = encryptor.decrypt(row.sealed, encryptionContext(row.id));
    secrets = JSON.parse(new TextDecoder().decode(plaintext)) as Secrets;
  } catch {
    return null;
  }
  const job = {
    kind: row.kind,
    to: row.recipient,
    userId: row.user_id,
    invitationId: row.invitation_id,
    memberInvitationId: row.member_invitation_id,
    decoy: row.decoy,
    ...(row.expires_at ? { expiresAt: row.expires_at } : {}),
    data: {},
    ...secrets,
  };
  // The values were stored with their kind.
  return job as EmailJob;
}

/**
 * Stores the final outcome and deletes the secrets. If the email was accepted, the same statement updates the counters
 * of its invitation. Idempotent.
 */
export async function finishDelivery(
  tx: Transaction,
  id: string,
  result: { outcome: DeliveryOutcome; answer: string | null; messageId: string | null; now: Date },
): Promise<void> {
  await tx.query(
    sql`with finished as (
          update private.deliveries
          set status = ${result.outcome}, answer = ${result.answer}, message_id = ${result.messageId},
              finished_at = ${result.now}, sealed = null, lease_until = null
          where id = ${id} and status = 'waiting'
          returning invitation_id, member_invitation_id, finished_at, part_of
        ), members as (
          update private.member_invitations i
          set send_count = i.send_count + 1, last_sent_at = f.finished_at
          from finished f
          where i.id = f.member_invitation_id and ${succeeded(result.outcome)}::boolean
        )
        update private.invitations i
        set send_count = i.send_count + 1, last_sent_at = f.finished_at
        from finished f
        where i.id = f.invitation_id and ${succeeded(result.outcome)}::boolean
          -- The email is a part of the action that caused it. The trigger that records the update runs afterwards.
          and set_config('request.part_of', coalesce(f.part_of::text, ''), true) is not null`,
  );
}

/** Schedules the next attempt at `dueAt`. The worker makes it: no caller waits for the outcome any longer. */
export async function postponeDelivery(
  tx: Transaction,
  id: string,
  { dueAt, answer }: { dueAt: Date; answer: string | null },
): Promise<void> {
  await tx.query(
    sql`update private.deliveries set due_at = ${dueAt}, answer = ${answer}, lease_until = null, attended = false
        where id = ${id} and status = 'waiting'`,
  );
}

/**
 * Ends the queued emails of an invitation, or the queued test emails of a user, because a change replaces them. An email that
 * is being sent stays, and its outcome is stored.
 *
 * @param reference ID of the invitation, or of the user
 * @param answer the reason, appended to the last response of the mail server
 */
export async function replaceQueuedEmails(
  tx: Transaction,
  {
    kind,
    reference,
    answer = replacedAnswers.newer,
    now,
  }: {
    kind: 'invitation' | 'member_invitation' | 'test';
    reference: string;
    answer?: string;
    now: Date;
  },
): Promise<void> {
  await tx.query(
    sql`update private.deliveries
        set status = 'refused', answer = concat_ws(' - ', answer, ${answer}::text), sealed = null, finished_at = ${now}
        where kind = ${kind} and ${reference}::uuid = case kind
            when 'test' then user_id when 'member_invitation' then member_invitation_id else invitation_id end
          and status = 'waiting' and not attended
          and (lease_until is null or lease_until <= ${now})`,
  );
}

/** Ends of the stored answers of emails that were not sent because a change replaced them. They are no failures. */
export const replacedAnswers = {
  newer: 'A newer email replaced this one.',
  link: 'A shared link replaced this email.',
  revoked: 'The invitation was revoked.',
  closed: 'The invitation is no longer pending.',
} as const;

/** For `like`. */
export const replacedAnswerPatterns: readonly string[] = Object.values(replacedAnswers).map(
  (answer) => `%${answer}`,
);

export async function deleteDecoys(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query(sql`delete from private.deliveries where id = any(${ids}::uuid[]) and decoy`);
}

/** Marks deliveries as timed out whose caller stored no outcome. They are not sent again. */
export async function failAbandonedDeliveries(tx: Transaction, now: Date): Promise<void> {
  await tx.query(
    sql`update private.deliveries
        set status = 'timed_out',
            answer = 'The service stopped or lost the database before it stored the response of the mail server.',
            finished_at = ${now}, sealed = null, lease_until = null
        where status = 'waiting' and attended and lease_until <= ${now}`,
  );
}

/** Expires all leases. Call at startup of a single-process instance only: the previous process has exited. */
export async function expireLeases(tx: Transaction, now: Date): Promise<void> {
  await tx.query(
    sql`update private.deliveries set lease_until = ${now} where status = 'waiting' and lease_until > ${now}`,
  );
}

/** Deletes deliveries that finished before `before`. */
export const deleteOldDeliveries = (database: Database, before: Date): Promise<void> =>
  deleteExpired(database, 'private.deliveries', sql`status <> 'waiting' and finished_at < ${before}`);

/**
 * A time that is at most this many milliseconds too late comes from a transaction that read the clock after this one, not
 * from a clock that was set back.
 */
const clockToleranceMs = 10_000;

/**
 * Repairs times in the future, which remain after the clock was set back: an email waits at most its retry interval
 * from now, and an attempt in the future does not count against the email quota.
 *
 * @param retryDelaysSeconds seconds before the second, third, ... attempt
 */
export async function limitWaits(
  tx: Transaction,
  { now, leaseMs, retryDelaysSeconds }: { now: Date; leaseMs: number; retryDelaysSeconds: readonly number[] },
): Promise<void> {
  const latestLease = new Date(now.getTime() + leaseMs);
  const tolerated = new Date(now.getTime() + clockToleranceMs);
  const toleratedLease = new Date(latestLease.getTime() + clockToleranceMs);
  await tx.query(
    sql`update private.deliveries d
        set due_at = least(d.due_at, ${now}::timestamptz + w.delay),
            lease_until = case when d.lease_until > ${latestLease} then ${latestLease} else d.lease_until end,
            attempted_at = case when d.attempted_at > ${now} then ${now} else d.attempted_at end
        from (
          select id, coalesce((${[...retryDelaysSeconds]}::int[])[tries], 0) * interval '1 second' as delay
          from private.deliveries where status = 'waiting' or attempted_at > ${tolerated}
        ) w
        where w.id = d.id
          and (d.attempted_at > ${tolerated}
               or d.status = 'waiting'
                  and (d.due_at > ${tolerated}::timestamptz + w.delay or d.lease_until > ${toleratedLease}))`,
  );
}

/** Returns the time at which the next queued email is due, or null if none is queued for the worker. */
export async function findNextDueAt(tx: Transaction): Promise<Date | null> {
  const [row] = await tx.query<{ due: Date | null }>(
    sql`select min(greatest(due_at, coalesce(lease_until, due_at))) as due
        from private.deliveries where status = 'waiting' and not attended`,
  );
  return row?.due ?? null;
}

/** Returns the number of emails queued for the worker, and the delay of the oldest one in seconds. */
export async function countQueuedDeliveries(
  tx: Transaction,
  now: Date,
): Promise<{ count: number; overdueSeconds: number }> {
  const [row] = await tx.query<{ count: number; overdue: number }>(
    sql`select count(*)::int as count,
               greatest(0, extract(epoch from ${now}::timestamptz - min(due_at)))::float8 as overdue
        from private.deliveries where status = 'waiting' and not attended and not decoy`,
  );
  return { count: row?.count ?? 0, overdueSeconds: row?.overdue ?? 0 };
}
