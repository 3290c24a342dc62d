/**
 * Inviting administrators. Order of an invitation: everything is written and committed first, then
 * the mail is sent outside any transaction, and its outcome is part of the answer. A mail that could
 * not be sent leaves a record whose Resend works; nothing is taken back.
 */
import type { Logger } from 'pino';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import type { Config } from '../config/settings.ts';
import { ApiError } from '../errors.ts';
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
  /** In its normal form, checked by the contract's schema. */
  readonly email: string;
  readonly fullName: string;
  readonly invitedBy: string | null;
  /** Runs first in the invitation's transaction; throws to refuse. */
  readonly authorize?: (tx: Transaction) => Promise<void>;
  /** When the call reached the service; an equal call that was sending then shares its outcome. */
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
  /** Opens or re-opens the invitation and sends its mail. @throws ApiError, QueryError */
  invite(invite: Invite): Promise<InviteResult>;
  /** Opens or re-opens the invitation without a mail: whoever runs the command hands the link over. */
  createLink(
    person: { readonly email: string; readonly fullName: string },
    authorize?: (tx: Transaction) => Promise<void>,
  ): Promise<InvitationLink>;
  /** A fresh link of an open invitation whose mails did not arrive. @throws ApiError 404, 409 */
  createReplacementLink(
    email: string,
    authorize: (tx: Transaction) => Promise<void>,
  ): Promise<InvitationLink>;
  /** A fresh link for the first administrator, or null once there is one. */
  firstAdministratorLink(): Promise<InvitationLink | null>;
  /** False when nothing is open under this address. */
  revoke(email: string, authorize?: (tx: Transaction) => Promise<void>): Promise<boolean>;
}

export interface InvitationsOptions {
  readonly config: Config;
  readonly database: Database;
  readonly outbox: Outbox;
  readonly log: Logger;
  readonly now: () => Date;
}

type Opened =
  | { readonly invitation: PendingInvitation; readonly claimed: ClaimedDelivery }
  | { readonly invitation: PendingInvitation; readonly shared: string };

export function createInvitations(options: InvitationsOptions): Invitations {
  const { config, database, outbox, log, now } = options;
  /** Mails on their way in this process, so that an overlapping call need not ask the database. */
  const sending = new Map<string, Promise<DeliveryResult>>();

  const linkOf = async (tx: Transaction, invitation: PendingInvitation): Promise<string> =>
    invitationLink(config.SITE_URL, await createInvitationToken(tx, invitation, now()));

  const send = async (claimed: ClaimedDelivery): Promise<DeliveryResult> => {
    const delivery = outbox.send(claimed).finally(() => sending.delete(claimed.id));
    sending.set(claimed.id, delivery);
    return delivery;
  };
  const invite = async (request: Invite): Promise<InviteResult> => {
    const opened = await database.transaction((tx) => openAndClaim(options, tx, request, linkOf));
    const { invitation } = opened;
    const delivery =
      'claimed' in opened
        ? await send(opened.claimed)
        : await (sending.get(opened.shared) ?? waitForOutcome(database, opened.shared));
    log.info({ invitation: invitation.id, outcome: delivery.outcome }, 'invitation');
    return { invitationId: invitation.id, expiresAt: invitation.expiresAt, delivery };
  };
  const createLink: Invitations['createLink'] = async ({ email, fullName }, authorize) =>
    database.transaction(async (tx) => {
      await authorize?.(tx);
      await lockEmail(tx, email);
      const lifetime = config.INVITATION_TTL;
      const invitation = await createOrReopenInvitation(tx, {
        email,
        fullName,
        invitedBy: null,
        now: now(),
        lifetime,
      });
      return { email, link: await linkOf(tx, invitation), expiresAt: invitation.expiresAt };
    });
  return {
    invite,
    createLink,
    createReplacementLink: async (email, authorize) =>
      database.transaction(async (tx) => {
        await authorize(tx);
        await lockEmail(tx, email);
        const fullName = await requireLinkAllowed(tx, config, { email, now: now() });
        const lifetime = config.INVITATION_TTL;
        const request = { email, fullName, invitedBy: null, now: now(), lifetime };
        const invitation = await createOrReopenInvitation(tx, request);
        return { email, link: await linkOf(tx, invitation), expiresAt: invitation.expiresAt };
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

const mailOf = (invitation: PendingInvitation, link: string) =>
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
  linkOf: (tx: Transaction, invitation: PendingInvitation) => Promise<string>,
): Promise<Opened> {
  await authorize?.(tx);
  await lockEmail(tx, email);
  const at = now();
  const known = await readInvitation(tx, email);
  const shared = known ? await findSharedDelivery(tx, known.id, { arrivedAt, now: at }) : null;
  if (shared) return shared;
  requireResendCooldownElapsed(known, config.RESEND_COOLDOWN, at);
  await requireEmailQuota(tx, config.MAILS_PER_HOUR, at);
  const lifetime = config.INVITATION_TTL;
  const invitation = await createOrReopenInvitation(tx, { email, fullName, invitedBy, now: at, lifetime });
  const claimed = await outbox.claim(tx, mailOf(invitation, await linkOf(tx, invitation)));
  return { invitation, claimed };
}

/** @returns the invited person's name. @throws ApiError 404 `no_open_invitation`, 409 `link_not_allowed` */
async function requireLinkAllowed(
  tx: Transaction,
  config: Config,
  { email, now }: { email: string; now: Date },
): Promise<string> {
  const [known] = await tx.query<{ id: string; full_name: string }>(
    sql`select id, full_name from private.invitations where email = ${email} and status = 'pending'`,
  );
  const history = known ? await readInvitationHistory(tx, config, { id: known.id, now }) : null;
  if (!known || !history) {
    throw new ApiError(404, 'no_open_invitation', `There is no open invitation for ${email}.`);
  }
  if (history.link_allowed) return known.full_name;
  const sentence = `The link of ${email} goes by mail only: the mail arrived or is on its way, or they have a password.`;
  throw new ApiError(409, 'link_not_allowed', sentence);
}

async function hasAdministrator(tx: Transaction, now: Date): Promise<boolean> {
  const rows = await tx.query(
    sql`select from public.user_roles r join auth.users u on u.id = r.user_id
        where r.role = 'platform_admin' and u.deleted_at is null
          and (u.banned_until is null or u.banned_until <= ${now}) limit 1`,
  );
  return rows.length > 0;
}
