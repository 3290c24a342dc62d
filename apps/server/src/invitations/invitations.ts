/**
 * Invites administrators. An invitation is committed first; then its email is sent outside any transaction, and the
 * outcome is part of the result. After a temporary failure the outbox tries again. After a rejection the invitation stays
 * and can be sent again.
 */
import type { Logger } from 'pino';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import type { ClientInfo } from '@lanternrock/auth';
import { recordAction } from '../audit-log.ts';
import { type ListAction, startListAction } from '../audit-run.ts';
import type { Config } from '../config/settings.ts';
import { noOpenInvitationError } from '../errors.ts';
import { replacedAnswers, replaceQueuedEmails, type ClaimedDelivery } from '../mail/deliveries.ts';
import { requireEmailQuota } from '../mail/email-quota.ts';
import type { DeliveryResult, EmailJob } from '../mail/email-job.ts';
import type { Outbox } from '../mail/outbox.ts';
import { notifyAdministrators } from '../administrators/administrator-notices.ts';
import {
  createOrReopenInvitation,
  type PendingInvitation,
  readInvitation,
  requireResendCooldownElapsed,
  revokeInvitation,
} from './invitation-record.ts';
import { asService, type Authorize, type EmailAction, runOnEmail } from '../administrators/email-action.ts';
import { readInvitationHistory } from './invitation-history.ts';
import { requireExpiryInRange } from './invitation-terms.ts';
import { linkNotAllowedError } from './link-allowed.ts';
import type { Terms } from './term-columns.ts';
import { readInviterName } from './invited-user.ts';
import { createInvitationToken, buildInvitationLink } from './invitation-tokens.ts';
import { findSharedDelivery, waitForOutcome } from './shared-delivery.ts';

interface Invite {
  /** Normalized and validated by `invitationSchema`. */
  readonly email: string;
  readonly fullName: string;
  /** The inviting administrator; null for the command line. */
  readonly invitedBy: string | null;
  /** True for the command line, also with `invitedBy`: the operator acts for the administrator. */
  readonly fromCommandLine?: boolean;
  /** Absent fields keep their stored values. */
  readonly terms?: Terms | undefined;
  readonly authorize: Authorize;
  /** Runs under the lock of the email address; throws to reject the invitation. */
  readonly precondition?: (tx: Transaction) => Promise<void>;
  /**
   * `performance.now()` at the arrival of the request. If an email to the same address was being sent at this time, its
   * outcome is shared.
   */
  readonly startedAt: number;
  /** Leaves the email to the worker, without a first attempt: the mail server has just failed several times. */
  readonly queueOnly?: boolean;
  /** The client of the inviting administrator, for the notices to the others. */
  readonly client?: ClientInfo;
  /**
   * The action on a list that the invitation is a part of. One that is sent again is a part only if it is open: any other gives new
   * access, which the activity names.
   */
  readonly list?: ListAction | undefined;
}

export interface InviteResult {
  readonly invitationId: string;
  readonly expiresAt: Date;
  readonly delivery: DeliveryResult;
}

/** A link that a person gets instead of an email. */
export interface InvitationLink {
  readonly email: string;
  readonly link: string;
  readonly expiresAt: Date;
}

export interface Invitations {
  /**
   * Creates or reopens the invitation and sends its email.
   *
   * @throws DomainError already_administrator
   * @throws DomainError resend_cooldown, over_email_send_rate_limit
   * @throws what `precondition` throws
   */
  invite(invite: Invite): Promise<InviteResult>;
  /** Creates or reopens the invitation without an email. The operator shares the link. */
  createLink(
    invitee: Pick<Invite, 'email' | 'fullName' | 'terms' | 'authorize'> & {
      readonly invitedBy?: string | null;
    },
  ): Promise<InvitationLink>;
  /**
   * Creates a link of an open invitation whose email was not accepted by the mail server. The user of the link becomes
   * the inviter, so that it gives no longer role than theirs.
   *
   * @throws DomainError no_open_invitation
   * @throws DomainError link_not_allowed
   */
  createReplacementLink(
    invitee: EmailAction & { readonly invitedBy: string | null; readonly client: ClientInfo },
  ): Promise<InvitationLink>;
  /** Creates a link for the first administrator, or returns null if an administrator exists. */
  firstAdministratorLink(): Promise<InvitationLink | null>;
  /** Returns false if the email address has no open invitation. */
  revoke(action: EmailAction & Pick<Invite, 'list'>): Promise<boolean>;
}

interface InvitationsOptions {
  readonly config: Config;
  readonly database: Database;
  readonly outbox: Outbox;
  readonly log: Logger;
  readonly now: DatabaseClock['read'];
}

type ClaimedOrShared =
  | { readonly invitation: PendingInvitation; readonly claimed: ClaimedDelivery }
  | { readonly invitation: PendingInvitation; readonly shared: string }
  | { readonly invitation: PendingInvitation; readonly queuedAt: Date };

export function createInvitations(options: InvitationsOptions): Invitations {
  const { config, database, outbox, log, now } = options;
  /**
   * Deliveries that this process is sending, so that a concurrent call for the same email need not poll the database.
   */
  const sending = new Map<string, Promise<DeliveryResult>>();

  const send = async (claimed: ClaimedDelivery): Promise<DeliveryResult> => {
    const delivery = outbox.send(claimed).finally(() => sending.delete(claimed.id));
    sending.set(claimed.id, delivery);
    return delivery;
  };
  const readOutcome = async (stored: ClaimedOrShared): Promise<DeliveryResult> => {
    if ('claimed' in stored) return send(stored.claimed);
    if ('queuedAt' in stored) return { outcome: 'waiting', retryAt: stored.queuedAt, answer: null };
    return sending.get(stored.shared) ?? waitForOutcome(database, stored.shared);
  };
  const createLink: Invitations['createLink'] = async ({ invitedBy = null, ...invitee }) => {
    const link = await runOnEmail(database, invitee, (tx) =>
      openByLink(options, tx, { ...invitee, invitedBy, fromCommandLine: true }),
    );
    outbox.wake();
    return link;
  };
  return {
    invite: async (request) => {
      const stored = await runOnEmail(database, request, async (tx) => {
        await request.precondition?.(tx);
        return openAndClaim(options, tx, request);
      });
      outbox.wake();
      const { invitation } = stored;
      const delivery = await readOutcome(stored);
      log.info({ invitationId: invitation.id, outcome: delivery.outcome }, 'invitation stored');
      return { invitationId: invitation.id, expiresAt: invitation.expiresAt, delivery };
    },
    createLink,
    createReplacementLink: async (invitee) => {
      const link = await runOnEmail(database, invitee, (tx) => openReplacement(options, tx, invitee));
      outbox.wake();
      return link;
    },
    firstAdministratorLink: async () => {
      if (await hasPermanentAdministrator(database)) return null;
      return createLink({ email: config.ADMIN_EMAIL, fullName: config.ADMIN_NAME, authorize: asService });
    },
    revoke: (action) =>
      runOnEmail(database, action, async (tx) =>
        revokeInvitation(tx, { email: action.email, list: action.list, now: await now(tx) }),
      ),
  };
}

interface Opening extends Pick<
  Invite,
  'email' | 'fullName' | 'invitedBy' | 'fromCommandLine' | 'terms' | 'client'
> {
  /** True for a link that a person gets instead of an email: reported also if the invitation was already open. */
  readonly byLink?: boolean;
}

/** Creates or reopens the invitation, with a new link, and notifies the other administrators. */
async function openInvitation(
  { config, outbox, now }: InvitationsOptions,
  tx: Transaction,
  {
    email,
    fullName,
    invitedBy,
    fromCommandLine = invitedBy === null,
    terms,
    client,
    byLink = false,
  }: Opening,
): Promise<PendingInvitation & InvitationLink> {
  const at = await now(tx);
  if (terms) requireExpiryInRange(terms, at);
  const ttlSeconds = config.INVITATION_TTL;
  const request = { email, fullName, invitedBy, terms, now: at, ttlSeconds };
  const invitation = await createOrReopenInvitation(tx, request);
  const token = await createInvitationToken(tx, { kind: 'invitation', ...invitation }, at);
  if (byLink || invitation.isNew)
    await notifyAdministrators(tx, outbox, {
      event: invitation.isNew ? 'invited' : 'link_created',
      email,
      // The operator acts for the administrator, who gets the email, too.
      actorId: fromCommandLine ? null : invitedBy,
      client,
      now: at,
    });
  return { ...invitation, link: buildInvitationLink(config.SITE_URL, token) };
}

/** Opens the invitation with a link that a person gets instead of an email, and records it. */
async function openByLink(
  options: InvitationsOptions,
  tx: Transaction,
  opening: Opening,
): Promise<PendingInvitation & InvitationLink> {
  const invitation = await openInvitation(options, tx, { ...opening, byLink: true });
  const { id, email } = invitation;
  await recordAction(tx, { action: 'link_created', table: 'private.invitations', id, details: { email } });
  return invitation;
}

/** Opens the invitation with a link that an administrator shares, instead of its queued emails. */
async function openReplacement(
  options: InvitationsOptions,
  tx: Transaction,
  { email, invitedBy, client }: Parameters<Invitations['createReplacementLink']>[0],
): Promise<PendingInvitation & InvitationLink> {
  const now = await options.now(tx);
  const { id, fullName } = await requireLinkAllowed(tx, options.config, { email, now });
  const answer = replacedAnswers.link;
  await replaceQueuedEmails(tx, { kind: 'invitation', reference: id, answer, now });
  return openByLink(options, tx, { email, fullName, invitedBy, client });
}

async function openAndClaim(
  options: InvitationsOptions,
  tx: Transaction,
  request: Invite,
): Promise<ClaimedOrShared> {
  const { config, outbox } = options;
  // Measured before the clock is read: a request that began after the response to another one must not share its email.
  const sinceStartMs = performance.now() - request.startedAt;
  const at = await options.now(tx);
  const arrivedAt = new Date(at.getTime() - sinceStartMs);
  const existing = await readInvitation(tx, request.email);
  const shared = existing ? await findSharedDelivery(tx, existing.id, { arrivedAt, now: at }) : null;
  if (shared) return shared;
  requireResendCooldownElapsed(existing, config.RESEND_COOLDOWN, at);
  await requireEmailQuota(tx, config.MAILS_PER_HOUR, 'invitation', at);
  const isOpen = existing?.status === 'pending' && existing.expires_at > at;
  if (request.list && (request.list.kind !== 'list_resent' || isOpen))
    await startListAction(tx, request.list);
  if (existing) await replaceQueuedEmails(tx, { kind: 'invitation', reference: existing.id, now: at });
  const invitation = await openInvitation(options, tx, request);
  const { id, userId, email, fullName, link, expiresAt, note } = invitation;
  const name = request.invitedBy === null ? null : await readInviterName(tx, request.invitedBy);
  const isOperator = request.fromCommandLine || request.invitedBy === null;
  const job: EmailJob = {
    kind: 'invitation',
    to: email,
    userId,
    invitationId: id,
    link,
    expiresAt,
    inviter: { kind: isOperator ? 'command_line' : 'administrator', name },
    data: { fullName, ...(name ? { inviter: name } : {}), ...(note ? { note } : {}) },
  };
  if (!request.queueOnly) return { invitation, claimed: await outbox.claim(tx, job) };
  await outbox.enqueue(tx, job);
  return { invitation, queuedAt: at };
}

/**
 * Returns the open invitation of an email address.
 *
 * @throws DomainError no_open_invitation
 * @throws DomainError link_not_allowed
 */
async function requireLinkAllowed(
  tx: Transaction,
  config: Config,
  { email, now }: { email: string; now: Date },
): Promise<{ id: string; fullName: string }> {
  const [existing] = await tx.query<{ id: string; full_name: string }>(
    sql`select id, full_name from private.invitations where email = ${email} and status = 'pending'`,
  );
  const history = existing ? await readInvitationHistory(tx, config, { id: existing.id, now }) : null;
  if (!existing || !history) {
    throw noOpenInvitationError(email);
  }
  if (history.link_allowed) return { id: existing.id, fullName: existing.full_name };
  throw linkNotAllowedError(email);
}

async function hasPermanentAdministrator(tx: Transaction): Promise<boolean> {
  const rows = await tx.query(sql`select from private.active_administrators where ends_at is null limit 1`);
  return rows.length > 0;
}
