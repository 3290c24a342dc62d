/**
 * Invites administrators. An invitation is committed first; then its email is sent outside any transaction, and the
 * outcome is part of the result. If the email is not accepted, the invitation stays and can be sent again.
 */
import type { Logger } from 'pino';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import type { Config } from '../config/settings.ts';
import { DomainError } from '../errors.ts';
import type { ClaimedDelivery } from '../mail/deliveries.ts';
import { requireEmailQuota } from '../mail/email-quota.ts';
import type { DeliveryResult } from '../mail/email-job.ts';
import type { Outbox } from '../mail/outbox.ts';
import {
  requireResendCooldownElapsed,
  lockEmail,
  createOrReopenInvitation,
  readInvitation,
  revokeInvitation,
  type PendingInvitation,
} from './invitation-record.ts';
import { readInvitationHistory } from './invitation-history.ts';
import { createInvitationToken, invitationLink } from './invitation-tokens.ts';
import { findSharedDelivery, waitForOutcome } from './shared-delivery.ts';

interface Invite {
  /** Normalized and validated by `invitationSchema`. */
  readonly email: string;
  readonly fullName: string;
  readonly invitedBy: string | null;
  /** Runs first in the transaction of the invitation; throws to reject it. */
  readonly authorize?: (tx: Transaction) => Promise<void>;
  /**
   * Arrival time of the request. Shares the outcome of an email for the same address that was being sent at this time.
   */
  readonly arrivedAt: Date;
}

interface InviteResult {
  readonly invitationId: string;
  readonly expiresAt: Date;
  readonly delivery: DeliveryResult;
}

interface InvitationLink {
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
   */
  invite(invite: Invite): Promise<InviteResult>;
  /** Creates or reopens the invitation without an email. The operator shares the link. */
  createLink(
    invitee: { readonly email: string; readonly fullName: string },
    authorize?: (tx: Transaction) => Promise<void>,
  ): Promise<InvitationLink>;
  /**
   * Creates a link of an open invitation whose email was not accepted by the mail server.
   *
   * @throws DomainError no_open_invitation
   * @throws DomainError link_not_allowed
   */
  createReplacementLink(
    email: string,
    authorize: (tx: Transaction) => Promise<void>,
  ): Promise<InvitationLink>;
  /** Creates a link for the first administrator, or returns null if an administrator exists. */
  firstAdministratorLink(): Promise<InvitationLink | null>;
  /** Returns false if the email address has no open invitation. */
  revoke(email: string, authorize?: (tx: Transaction) => Promise<void>): Promise<boolean>;
}

export interface InvitationsOptions {
  readonly config: Config;
  readonly database: Database;
  readonly outbox: Outbox;
  readonly log: Logger;
  readonly now: () => Date;
}

type ClaimedOrShared =
  | { readonly invitation: PendingInvitation; readonly claimed: ClaimedDelivery }
  | { readonly invitation: PendingInvitation; readonly shared: string };

export function createInvitations(options: InvitationsOptions): Invitations {
  const { config, database, outbox, log, now } = options;
  /**
   * Deliveries that this process is sending, so that a concurrent call for the same email need not poll the database.
   */
  const sending = new Map<string, Promise<DeliveryResult>>();

  const createInvitationUrl = async (tx: Transaction, invitation: PendingInvitation): Promise<string> =>
    invitationLink(config.SITE_URL, await createInvitationToken(tx, invitation, now()));

  const send = async (claimed: ClaimedDelivery): Promise<DeliveryResult> => {
    const delivery = outbox.send(claimed).finally(() => sending.delete(claimed.id));
    sending.set(claimed.id, delivery);
    return delivery;
  };
  const invite = async (request: Invite): Promise<InviteResult> => {
    const stored = await database.transaction((tx) =>
      openAndClaim(options, tx, request, createInvitationUrl),
    );
    const { invitation } = stored;
    const delivery =
      'claimed' in stored
        ? await send(stored.claimed)
        : await (sending.get(stored.shared) ?? waitForOutcome(database, stored.shared));
    log.info({ invitationId: invitation.id, outcome: delivery.outcome }, 'invitation stored');
    return { invitationId: invitation.id, expiresAt: invitation.expiresAt, delivery };
  };
  const createLink: Invitations['createLink'] = async ({ email, fullName }, authorize) =>
    database.transaction(async (tx) => {
      await authorize?.(tx);
      await lockEmail(tx, email);
      const invitation = await createOrReopenInvitation(tx, {
        email,
        fullName,
        invitedBy: null,
        now: now(),
        ttlSeconds: config.INVITATION_TTL,
      });
      return { email, link: await createInvitationUrl(tx, invitation), expiresAt: invitation.expiresAt };
    });
  return {
    invite,
    createLink,
    createReplacementLink: async (email, authorize) =>
      database.transaction(async (tx) => {
        await authorize(tx);
        await lockEmail(tx, email);
        const fullName = await requireLinkAllowed(tx, config, { email, now: now() });
        const ttlSeconds = config.INVITATION_TTL;
        const request = { email, fullName, invitedBy: null, now: now(), ttlSeconds };
        const invitation = await createOrReopenInvitation(tx, request);
        return { email, link: await createInvitationUrl(tx, invitation), expiresAt: invitation.expiresAt };
      }),
    firstAdministratorLink: async () => {
      if (await hasAdministrator(database, now())) return null;
      return createLink({ email: config.ADMIN_EMAIL, fullName: config.ADMIN_NAME });
    },
    revoke: async (email, authorize) =>
      database.transaction(async (tx) => {
        await authorize?.(tx);
        await lockEmail(tx, email);
        return revokeInvitation(tx, email, now());
      }),
  };
}

const toEmailJob = (invitation: PendingInvitation, link: string) =>
  ({
    kind: 'invitation',
    to: invitation.email,
    userId: invitation.userId,
    invitationId: invitation.id,
    link,
    expiresAt: invitation.expiresAt,
    data: { fullName: invitation.fullName },
  }) as const;

async function openAndClaim(
  { config, outbox, now }: InvitationsOptions,
  tx: Transaction,
  { email, fullName, invitedBy, authorize, arrivedAt }: Invite,
  createInvitationUrl: (tx: Transaction, invitation: PendingInvitation) => Promise<string>,
): Promise<ClaimedOrShared> {
  await authorize?.(tx);
  await lockEmail(tx, email);
  const at = now();
  const existing = await readInvitation(tx, email);
  const shared = existing ? await findSharedDelivery(tx, existing.id, { arrivedAt, now: at }) : null;
  if (shared) return shared;
  requireResendCooldownElapsed(existing, config.RESEND_COOLDOWN, at);
  await requireEmailQuota(tx, config.MAILS_PER_HOUR, at);
  const ttlSeconds = config.INVITATION_TTL;
  const invitation = await createOrReopenInvitation(tx, { email, fullName, invitedBy, now: at, ttlSeconds });
  const claimed = await outbox.claim(tx, toEmailJob(invitation, await createInvitationUrl(tx, invitation)));
  return { invitation, claimed };
}

/**
 * Returns the full name of the invited user.
 *
 * @throws DomainError no_open_invitation
 * @throws DomainError link_not_allowed
 */
async function requireLinkAllowed(
  tx: Transaction,
  config: Config,
  { email, now }: { email: string; now: Date },
): Promise<string> {
  const [existing] = await tx.query<{ id: string; full_name: string }>(
    sql`select id, full_name from private.invitations where email = ${email} and status = 'pending'`,
  );
  const history = existing ? await readInvitationHistory(tx, config, { id: existing.id, now }) : null;
  if (!existing || !history) {
    throw new DomainError('no_open_invitation', `There is no open invitation for ${email}.`);
  }
  if (history.link_allowed) return existing.full_name;
  const message = `A link for ${email} cannot be created: the email was delivered or is queued, or the user has a password.`;
  throw new DomainError('link_not_allowed', message);
}

async function hasAdministrator(tx: Transaction, now: Date): Promise<boolean> {
  const rows = await tx.query(
    sql`select from public.user_roles r join auth.users u on u.id = r.user_id
        where r.role = 'platform_admin' and u.deleted_at is null
          and (u.banned_until is null or u.banned_until <= ${now}) limit 1`,
  );
  return rows.length > 0;
}
