/**
 * Claims due deliveries for a worker: within the reserves of the quota, one email per kind of notice and person, and with
 * links that are valid when they are sent.
 */
import { renewLink } from '@lanternrock/auth/links';
import { type Transaction, sql } from '@lanternrock/postgres';
import {
  encryptSecrets,
  replacedAnswers,
  tryParseJob,
  type ClaimedDelivery,
  type DeliveryEncryptor,
  type DeliveryRow,
} from './deliveries.ts';
import type { EmailJob } from './email-job.ts';
import { countEmailsLeft, readUsedEmails, countReservedLeft, type Reserve } from './email-quota.ts';
import { renewInvitation } from './renew-invitation.ts';

export interface ClaimedDeliveries {
  readonly claimed: readonly ClaimedDelivery[];
  /** IDs of deliveries whose secrets cannot be decrypted. */
  readonly unreadable: readonly string[];
  /** Emails are due that the quota does not allow now, other than those that are confined to a reserve. */
  readonly quotaReached: boolean;
}

interface ClaimRequest {
  readonly now: Date;
  readonly leaseUntil: Date;
  /** Maximum number of deliveries. */
  readonly max: number;
  /** MAILS_PER_HOUR. */
  readonly limit: number;
  /** INVITATION_TTL. */
  readonly invitationTtlSeconds: number;
}

export async function claimDueDeliveries(
  tx: Transaction,
  encryptor: DeliveryEncryptor,
  request: ClaimRequest,
): Promise<ClaimedDeliveries> {
  const { now, leaseUntil } = request;
  // One replica at a time: another one would not see that a notice of the same kind is being sent, nor the used quota.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('private.deliveries', 0))`);
  const { ids, quotaReached } = await selectDue(tx, request);
  if (ids.length === 0) return { claimed: [], unreadable: [], quotaReached };
  const rows = await tx.query<DeliveryRow>(
    sql`update private.deliveries d
        set lease_until = ${leaseUntil}, attempted_at = case when d.decoy then d.attempted_at else ${now}::timestamptz end,
            tries = d.tries + 1
        where d.id = any (${ids}::uuid[]) and d.status = 'waiting'
        returning d.id, d.kind, d.recipient, d.user_id, d.invitation_id, d.member_invitation_id, d.decoy, d.sealed,
          d.tries, d.expires_at`,
  );
  const claimed: ClaimedDelivery[] = [];
  const unreadable: string[] = [];
  for (const row of rows) {
    const job = tryParseJob(encryptor, row);
    if (job) claimed.push({ id: row.id, tries: row.tries, ...(await renew(tx, row.id, job, request)) });
    else unreadable.push(row.id);
  }
  return { claimed: await mergeNotices(tx, encryptor, claimed, now), unreadable, quotaReached };
}

/**
 * Selects the oldest due deliveries that the quota allows. Decoys are not sent and need none. An invitation notifies every
 * other administrator: these notices get no shared part of the quota, which the next invitations need.
 */
async function selectDue(
  tx: Transaction,
  { now, max, limit }: ClaimRequest,
): Promise<{ ids: string[]; quotaReached: boolean }> {
  const due = await tx.query<{ id: string; reserve: Reserve; confined: boolean; decoy: boolean }>(
    sql`select id, reserve, confined, decoy from (
          select due.id, due.due_at, kinds.reserve, false as confined, kinds.decoy
          from (
            select reserve, decoy from (values ('invitation'), ('recovery'), ('none')) r (reserve),
              (values (false), (true)) as d (decoy)
          ) as kinds, lateral (
            select d.id, d.due_at from private.deliveries d
            where d.status = 'waiting' and not d.attended and d.reserve = kinds.reserve and d.decoy = kinds.decoy
              and d.due_at <= ${now} and (d.lease_until is null or d.lease_until <= ${now})
            order by d.due_at, d.id limit ${max}
          ) as due
          union all
          select id, due_at, 'notice', confined, decoy from (
            select w.*, row_number() over (partition by confined, decoy order by due_at, id) as position from (
              select distinct on (d.kind, d.recipient) d.id, d.due_at, d.decoy,
                d.kind = 'administrator_invited' as confined
              from private.deliveries d
              where d.status = 'waiting' and not d.attended and d.reserve = 'notice'
                and d.due_at <= ${now} and (d.lease_until is null or d.lease_until <= ${now})
                and not exists (
                  select from private.deliveries sent
                  where sent.reserve = 'notice' and sent.recipient = d.recipient and sent.kind = d.kind
                    and sent.attempted_at > ${now}::timestamptz - interval '10 minutes' and sent.id <> d.id
                )
              order by d.kind, d.recipient, d.due_at, d.id
            ) as w
          ) as ranked where position <= ${max}
        ) as candidates order by due_at, id`,
  );
  const used = await readUsedEmails(tx, now);
  const ids: string[] = [];
  let quotaReached = false;
  for (const { id, reserve, confined, decoy } of due) {
    if (ids.length === max) break;
    if (!decoy) {
      const left = confined ? countReservedLeft(limit, used, reserve) : countEmailsLeft(limit, used, reserve);
      if (left === 0) {
        quotaReached ||= !confined;
        continue;
      }
      used[reserve] += 1;
    }
    ids.push(id);
  }
  return { ids, quotaReached };
}

/** An email can wait for the quota or for the mail server longer than its link is valid. */
async function renew(
  tx: Transaction,
  id: string,
  job: EmailJob,
  { now, invitationTtlSeconds: ttlSeconds }: ClaimRequest,
): Promise<Pick<ClaimedDelivery, 'job' | 'obsolete'>> {
  if (job.link === undefined || job.decoy) return { job };
  const { link } = job;
  const expiresAt = await renewJobLink(tx, { job, link, now, ttlSeconds });
  if (expiresAt === undefined) return { job, obsolete: replacedAnswers.closed };
  if (expiresAt === null) return { job };
  await tx.query(sql`update private.deliveries set expires_at = ${expiresAt} where id = ${id}`);
  return { job: { ...job, expiresAt } };
}

interface JobLink {
  readonly job: EmailJob;
  readonly link: string;
  readonly now: Date;
  readonly ttlSeconds: number;
}

function renewJobLink(
  tx: Transaction,
  { job, link, now, ttlSeconds }: JobLink,
): Promise<Date | null | undefined> {
  const { kind } = job;
  const invitationId = kind === 'member_invitation' ? job.memberInvitationId : job.invitationId;
  return (kind === 'invitation' || kind === 'member_invitation') && invitationId
    ? renewInvitation(tx, { kind, invitationId, link, now, ttlSeconds })
    : renewLink(tx, link, now);
}

/** Maximum number of notices that one email lists, besides the newest one. */
const maxListed = 20;

/** Adds all queued notices of the same kind to the same person to the claimed one, and deletes their rows. */
async function mergeNotices(
  tx: Transaction,
  encryptor: DeliveryEncryptor,
  claimed: readonly ClaimedDelivery[],
  now: Date,
): Promise<ClaimedDelivery[]> {
  const merged = await tx.query<DeliveryRow & { into: string }>(
    sql`delete from private.deliveries d using private.deliveries c
        where c.id = any (${claimed.map(({ id }) => id)}::uuid[]) and c.reserve = 'notice' and d.reserve = 'notice'
          and d.kind = c.kind and d.recipient = c.recipient and d.id <> c.id and d.status = 'waiting'
          and not d.attended and not d.decoy and (d.lease_until is null or d.lease_until <= ${now})
        returning c.id as into, d.id, d.kind, d.recipient, d.user_id, d.invitation_id, d.member_invitation_id, d.decoy,
          d.sealed, d.tries, d.expires_at`,
  );
  if (merged.length === 0) return [...claimed];
  const results: ClaimedDelivery[] = [];
  for (const delivery of claimed) {
    const others = merged
      .filter(({ into }) => into === delivery.id)
      .flatMap((row) => tryParseJob(encryptor, row) ?? []);
    const job = others.length === 0 ? delivery.job : mergeJobs([delivery.job, ...others]);
    if (others.length > 0)
      await tx.query(sql`update private.deliveries
        set sealed = ${Buffer.from(encryptSecrets(encryptor, delivery.id, job))} where id = ${delivery.id}`);
    results.push({ ...delivery, job });
  }
  return results;
}

/** Returns the newest job, with the data of the others. */
function mergeJobs(jobs: readonly EmailJob[]): EmailJob {
  const all = jobs.flatMap(({ data, earlier = [] }) => [...earlier, data]);
  const time = (data: EmailJob['data']): string => ('at' in data ? (data.at ?? '') : '');
  const sorted = all.toSorted((a, b) => time(a).localeCompare(time(b)));
  const omitted = jobs.reduce((sum, job) => sum + (job.omitted ?? 0), 0);
  const earlier = sorted.slice(0, -1);
  return {
    ...jobs[0],
    data: sorted.at(-1),
    earlier: earlier.slice(-maxListed),
    omitted: omitted + Math.max(0, earlier.length - maxListed),
  } as EmailJob;
}
