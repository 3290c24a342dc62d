/** `POST /recover`: sends a recovery email. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { ApiError } from '../../errors.ts';
import { invitationLink } from '../../invitations/invitation-tokens.ts';
import type { EmailJob } from '../../mail/email-job.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext, ClientInfo } from '../auth-context.ts';
import { endpoint } from '../endpoint.ts';
import { parseRequiredEmail } from '../users/contact-input.ts';
import { readPkceChallenge, createEmailFlow, type PkceChallenge } from '../one-time-tokens/flow-state.ts';
import {
  hashLinkToken,
  maxRecoveryLinks,
  createOneTimeToken,
  storeOneTimeToken,
  type OneTimeToken,
} from '../one-time-tokens/one-time-tokens.ts';
import { readRequestedRedirect, buildEmailLink } from '../one-time-tokens/redirect-urls.ts';
import { recordSent } from '../users/user-writes.ts';

interface Target {
  readonly id: string;
  readonly full_name: string | null;
  /** The email to send: a recovery, the pending invitation again, or none. */
  readonly kind: 'recovery' | 'invitation' | 'none';
  readonly invitation_id: string | null;
  readonly invitation_expires_at: Date | null;
}

/**
 * Always 200 `{}` after the same statements: neither the response nor its timing reveals whether the address is
 * known.
 */
export const requestRecoveryEmail = endpoint(
  { guard: 'anyone', limit: 'recover', body: 'required', captcha: true },
  async ({ c, context, client, body }) => {
    const { config, database, limits, outbox } = context;
    if (body.getString('email').trim() === '') {
      throw new ApiError(400, 'validation_failed', 'Password recovery requires an email');
    }
    const email = parseRequiredEmail(body.getString('email'));
    const challenge = readPkceChallenge(body, config);
    // Validated before any lookup, so that the errors are the same for unknown addresses.
    const redirect = readRequestedRedirect(c, context);
    const oneTimeToken = createOneTimeToken(context, config.RECOVERY_TTL);
    const inCooldown = (await limits.emailCooldownSeconds(`recovery to ${email}`)) > 0;
    await database.transaction((tx) =>
      requestRecovery(tx, context, { email, challenge, redirect, oneTimeToken, client, inCooldown }),
    );
    outbox.wake();
    return c.json({});
  },
);

interface RecoveryRequest {
  readonly email: string;
  readonly challenge: PkceChallenge | null;
  readonly redirect: URL | null;
  readonly oneTimeToken: OneTimeToken;
  readonly client: ClientInfo;
  /** The cooldown of this address has not elapsed. */
  readonly inCooldown: boolean;
}

async function requestRecovery(
  tx: Transaction,
  context: AuthContext,
  request: RecoveryRequest,
): Promise<void> {
  const { email, challenge, oneTimeToken, client } = request;
  const { keys } = context;
  const now = context.now();
  const target = await findTarget(tx, context, email, request.inCooldown);
  const kind = target?.kind ?? 'none';
  const userId = target?.id ?? null;
  const flowStateId = await createEmailFlow(tx, context, {
    userId,
    challenge,
    method: 'recovery',
    when: kind === 'recovery',
  });
  await storeOneTimeToken(tx, context, {
    userId: kind === 'recovery' ? userId : null,
    type: 'recovery',
    oneTimeToken,
    relatesTo: email,
    flowStateId,
  });
  await tx.query(sql`insert into private.invitation_tokens (token_hash, invitation_id, expires_at)
    select ${hashLinkToken(oneTimeToken.token)}, ${target?.invitation_id ?? null}::uuid,
      ${target?.invitation_expires_at ?? null}::timestamptz
    where ${kind} = 'invitation'`);
  await recordSent(tx, kind === 'none' ? null : userId, 'recovery', now);
  await context.outbox.enqueue(tx, toEmailJob(target, context, request));
  await writeAuditEntry(tx, {
    action: 'user_recovery_requested',
    actor: userId === null ? null : { id: userId, email },
    client,
    traits: { account: keys.hmac(email, 'audit').toString('base64url'), sent: kind },
  });
}

/** Returns the email for the user, or a decoy if none is due. */
function toEmailJob(target: Target | null, { config }: AuthContext, request: RecoveryRequest): EmailJob {
  const { email, challenge, redirect, oneTimeToken } = request;
  const { token, code, expiresAt } = oneTimeToken;
  const recipient = { to: email, userId: target?.id ?? null };
  const data: Record<string, string> = target?.full_name ? { fullName: target.full_name } : {};
  if (target?.kind === 'invitation' && target.invitation_expires_at) {
    const link = invitationLink(config.SITE_URL, token);
    const invitation = { invitationId: target.invitation_id, expiresAt: target.invitation_expires_at };
    return { kind: 'invitation', ...recipient, ...invitation, link, data };
  }
  const link = buildEmailLink(config, {
    token,
    type: 'recovery',
    redirect,
    pkce: challenge !== null,
    setup: true,
  });
  return { kind: 'recovery', ...recipient, link, code, expiresAt, data, decoy: target?.kind !== 'recovery' };
}

/**
 * Returns the user and the email to send. Banned users and users in their cooldown get none. Neither does a user with
 * the maximum number of valid links: another one would replace one of them, and anyone can request it. A user who
 * never had a password gets the pending invitation again, if there is one.
 */
async function findTarget(
  tx: Transaction,
  context: AuthContext,
  email: string,
  inCooldown: boolean,
): Promise<Target | null> {
  const now = context.now();
  const cooldownStart = new Date(now.getTime() - context.config.RESEND_COOLDOWN * 1000);
  const [target] = await tx.query<Target>(sql`
    select u.id, p.full_name, i.id as invitation_id, i.expires_at as invitation_expires_at,
      case
        when ${inCooldown}::boolean or u.banned_until > ${now} then 'none'
        -- A time in the future comes from a clock that was ahead.
        when u.recovery_sent_at > ${cooldownStart} and u.recovery_sent_at <= ${now} then 'none'
        when not coalesce((u.raw_app_meta_data ->> 'setup_required')::boolean, false) then
          case when (select count(*) from auth.one_time_tokens t where t.user_id = u.id
            and t.token_type = 'recovery' and t.expires_at > ${now}) < ${maxRecoveryLinks} then 'recovery' else 'none' end
        when i.id is not null then 'invitation'
        else 'none'
      end as kind
    from auth.users u
      left join public.profiles p on p.id = u.id
      left join private.invitations i
        on i.user_id = u.id and i.status = 'pending' and i.expires_at > ${now}
    where u.email = ${email} and u.deleted_at is null
    for update of u`);
  return target ?? null;
}
