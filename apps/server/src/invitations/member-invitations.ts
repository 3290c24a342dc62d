/**
 * Invites members of accounts. As with administrators, an invitation is committed first; then its email is sent outside any
 * transaction, and the outcome is part of the result.
 */
import type { Database, Transaction } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import type { ClientInfo } from '@lanternrock/auth';
import { notifyAdministrators } from '../administrators/administrator-notices.ts';
import { recordAction } from '../audit-log.ts';
import type { Config } from '../config/settings.ts';
import { invitationNotFoundError, DomainError, membershipEndInPastError } from '../errors.ts';
import { lockEmail, type Authorize, runOnEmail } from '../administrators/email-action.ts';
import { replacedAnswers, replaceQueuedEmails, type ClaimedDelivery } from '../mail/deliveries.ts';
import type { EmailJob } from '../mail/email-job.ts';
import { requireEmailQuota } from '../mail/email-quota.ts';
import type { Outbox } from '../mail/outbox.ts';
import { requireResendCooldownElapsed } from './invitation-record.ts';
import { requireExpiryInRange } from './invitation-terms.ts';
import type { InvitationLink, InviteResult } from './invitations.ts';
import { buildMemberLink, createInvitationToken } from './invitation-tokens.ts';
import { readInviterName } from './invited-user.ts';
import { linkNotAllowedError } from './link-allowed.ts';
import { readMemberEmailStatuses } from './member-email-status.ts';
import {
  createMemberInvitation,
  extendMemberInvitation,
  findMemberInvitation,
  memberInvitationEndedError,
  type OpenMemberInvitation,
  type PendingMemberInvitation,
  revokeMemberInvitation,
  toMembershipData,
} from './member-invitation-record.ts';
import type { Terms } from './term-columns.ts';

interface MemberInvitationServices {
  readonly config: Config;
  readonly database: Database;
  readonly outbox: Outbox;
  readonly now: DatabaseClock['read'];
}

interface Inviter {
  /** The acting administrator. */
  readonly invitedBy: string | null;
  readonly authorize: Authorize;
}

interface Stored {
  readonly invitation: PendingMemberInvitation;
  readonly claimed: ClaimedDelivery;
}

/**
 * Invites a person who has no user, or has never signed in, and sends the email.
 *
 * @throws DomainError account_not_found, not_invitable, already_member, already_invited, invalid_expiry,
 *   membership_end_in_past, membership_outlasts_role, over_email_send_rate_limit
 */
export async function inviteMember(
  services: MemberInvitationServices,
  invite: Inviter & {
    readonly accountId: string;
    /** Normalized and validated by `inviteMemberSchema`. */
    readonly email: string;
    readonly fullName: string;
    readonly terms?: Terms | undefined;
    /** The end date of the membership; null for none. */
    readonly membershipEnd: Date | null;
  },
): Promise<InviteResult> {
  const { config, database } = services;
  const stored = await runOnEmail(database, invite, async (tx) => {
    const now = await services.now(tx);
    if (invite.terms) requireExpiryInRange(invite.terms, now);
    if (invite.membershipEnd && invite.membershipEnd <= now) throw membershipEndInPastError();
    await requireEmailQuota(tx, config.MAILS_PER_HOUR, 'invitation', now);
    const ttlSeconds = config.INVITATION_TTL;
    const invitation = await createMemberInvitation(tx, { ...invite, now, ttlSeconds });
    return claimEmail(services, tx, { invitation, invitedBy: invite.invitedBy, now });
  });
  return send(services, stored);
}

interface MemberInvitationAction extends Inviter {
  readonly id: string;
}

/**
 * Sends an open invitation again, with the terms of the first email.
 *
 * @throws DomainError no_invitation, invitation_ended, not_invitable, membership_ended, membership_outlasts_role,
 *   resend_cooldown, over_email_send_rate_limit
 */
export async function resendMemberInvitation(
  services: MemberInvitationServices,
  action: MemberInvitationAction,
): Promise<InviteResult> {
  const { config } = services;
  const stored = await runOnInvitation(services, action, async (tx, open, now) => {
    requireNotSending(open, now);
    requireResendCooldownElapsed(open, config.RESEND_COOLDOWN, now);
    await requireEmailQuota(tx, config.MAILS_PER_HOUR, 'invitation', now);
    await replaceQueuedEmails(tx, { kind: 'member_invitation', reference: open.id, now });
    const { invitedBy } = action;
    const ttlSeconds = config.INVITATION_TTL;
    const invitation = await extendMemberInvitation(tx, open, { invitedBy, now, ttlSeconds });
    return claimEmail(services, tx, { invitation, invitedBy, now });
  });
  return send(services, stored);
}

/**
 * Creates a link of an open invitation whose email was not accepted by the mail server, with the terms of the first email.
 * The other administrators get a notice.
 *
 * @throws DomainError no_invitation, invitation_ended, link_not_allowed, membership_ended, membership_outlasts_role,
 *   not_invitable
 */
export async function createMemberInvitationLink(
  services: MemberInvitationServices,
  action: MemberInvitationAction & { readonly client: ClientInfo },
): Promise<InvitationLink> {
  const link = await runOnInvitation(services, action, (tx, open, now) =>
    openMemberLink(services, tx, { ...action, open, now }),
  );
  services.outbox.wake();
  return link;
}

/** @throws DomainError no_invitation, invitation_ended */
export const endMemberInvitation = (
  services: MemberInvitationServices,
  action: Omit<MemberInvitationAction, 'invitedBy'>,
): Promise<void> =>
  runOnInvitation(services, action, async (tx, { id, email }, now) => {
    if (!(await revokeMemberInvitation(tx, id, now))) throw memberInvitationEndedError(email);
  });

/** Runs an action on a pending or expired invitation, under the lock of its email address. */
const runOnInvitation = <T>(
  services: MemberInvitationServices,
  { id, authorize }: Omit<MemberInvitationAction, 'invitedBy'>,
  run: (tx: Transaction, open: OpenMemberInvitation, now: Date) => Promise<T>,
): Promise<T> =>
  services.database.transaction(async (tx) => {
    await authorize(tx);
    const now = await services.now(tx);
    const found = await findMemberInvitation(tx, id, now);
    if (!found) throw invitationNotFoundError();
    await lockEmail(tx, found.email);
    const open = await findMemberInvitation(tx, id, now);
    if (open?.status !== 'pending') throw memberInvitationEndedError(found.email);
    return run(tx, open, now);
  });

/** @throws DomainError resend_cooldown, while an email of the invitation is being sent */
function requireNotSending({ sendingUntil }: OpenMemberInvitation, now: Date): void {
  if (sendingUntil === null) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((sendingUntil.getTime() - now.getTime()) / 1000));
  const message = `An email of this invitation is being sent. Try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.`;
  throw new DomainError('resend_cooldown', message, { retryAfterSeconds });
}

/** Opens the invitation with a link that an administrator shares, instead of its queued email. */
async function openMemberLink(
  { config, outbox }: MemberInvitationServices,
  tx: Transaction,
  opening: Pick<MemberInvitationAction, 'invitedBy'> & {
    readonly client: ClientInfo;
    readonly open: OpenMemberInvitation;
    readonly now: Date;
  },
): Promise<InvitationLink> {
  const { open, invitedBy, client, now } = opening;
  const { id, accountId } = open;
  const emails = await readMemberEmailStatuses(tx, [id], now);
  if (emails.get(id)?.link_allowed !== true) throw linkNotAllowedError(open.email);
  const answer = replacedAnswers.link;
  await replaceQueuedEmails(tx, { kind: 'member_invitation', reference: id, answer, now });
  const ttlSeconds = config.INVITATION_TTL;
  const invitation = await extendMemberInvitation(tx, open, { invitedBy, now, ttlSeconds });
  const { email, fullName, expiresAt } = invitation;
  const token = await createInvitationToken(tx, { kind: 'member_invitation', id, expiresAt }, now);
  const details = { email, full_name: fullName, account_id: accountId };
  await recordAction(tx, { action: 'link_created', table: 'private.member_invitations', id, details });
  const account = { id: accountId, name: invitation.account };
  const event = 'member_link_created';
  await notifyAdministrators(tx, outbox, { event, email, account, actorId: invitedBy, client, now });
  return { email, link: buildMemberLink(config.SITE_URL, token), expiresAt };
}

async function claimEmail(
  { config, outbox }: MemberInvitationServices,
  tx: Transaction,
  opened: Pick<Inviter, 'invitedBy'> & { readonly invitation: PendingMemberInvitation; readonly now: Date },
): Promise<Stored> {
  const { invitation, invitedBy, now } = opened;
  const { id, userId, email, fullName, expiresAt, note } = invitation;
  const token = await createInvitationToken(tx, { kind: 'member_invitation', ...invitation }, now);
  const name = invitedBy === null ? null : await readInviterName(tx, invitedBy);
  const job: EmailJob = {
    kind: 'member_invitation',
    to: email,
    userId,
    memberInvitationId: id,
    link: buildMemberLink(config.SITE_URL, token),
    expiresAt,
    inviter: { kind: 'administrator', name },
    data: {
      fullName,
      ...toMembershipData(invitation),
      ...(name ? { inviter: name } : {}),
      ...(note ? { note } : {}),
    },
  };
  return { invitation, claimed: await outbox.claim(tx, job) };
}

const send = async (
  { outbox }: MemberInvitationServices,
  { invitation, claimed }: Stored,
): Promise<InviteResult> => ({
  invitationId: invitation.id,
  expiresAt: invitation.expiresAt,
  delivery: await outbox.send(claimed),
});
