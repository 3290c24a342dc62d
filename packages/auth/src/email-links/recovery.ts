/** `POST /recover`: sends a recovery email. */
import { type Transaction, sql } from '@lanternrock/postgres';
import { AuthError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { ClientInfo } from '../client-info.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import type { AuthEmailContent, OneTimeToken } from '../ports.ts';
import { parseRequiredEmail } from '../users/contact-input.ts';
import { readPkceChallenge, createEmailFlow, type PkceChallenge } from '../one-time-tokens/flow-state.ts';
import { maxLinks, createOneTimeToken, storeOneTimeToken } from '../one-time-tokens/one-time-tokens.ts';
import { readRequestedRedirect, buildEmailLink } from '../one-time-tokens/redirect-urls.ts';
import { recordSent } from '../users/user-writes.ts';

interface Target {
  readonly id: string;
  /** The email to send: a recovery, that of `AuthHooks.setupEmail`, or none. */
  readonly kind: 'recovery' | 'setup' | 'none';
}

/**
 * Always 200 `{}` after the same statements: neither the response nor its timing reveals whether the address is
 * known.
 */
export const requestRecoveryEmail = endpoint(
  { guard: 'anyone', limit: 'recover', body: 'required', captcha: true },
  async ({ c, context, client, body }) => {
    const { config, database, limits, mailer } = context;
    if (body.getString('email').trim() === '') {
      throw new AuthError(400, 'validation_failed', 'Password recovery requires an email');
    }
    const email = parseRequiredEmail(body.getString('email'));
    const challenge = readPkceChallenge(body, config);
    // Validated before any lookup, so that the errors are the same for unknown addresses.
    const redirect = readRequestedRedirect(c, context);
    const inCooldown = (await limits.emailCooldownSeconds(`recovery to ${email}`)) > 0;
    await database.transaction(async (tx) => {
      const now = await context.now(tx);
      const oneTimeToken = createOneTimeToken(now, config.RECOVERY_TTL);
      await requestRecovery(tx, context, {
        email,
        challenge,
        redirect,
        oneTimeToken,
        client,
        inCooldown,
        now,
      });
    });
    mailer.wake();
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
  readonly now: Date;
}

async function requestRecovery(
  tx: Transaction,
  context: AuthContext,
  request: RecoveryRequest,
): Promise<void> {
  const { email, challenge, oneTimeToken, client, now } = request;
  const { keys } = context;
  const target = await findTarget(tx, context, request);
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
  const setupUserId = kind === 'setup' ? userId : null;
  const setupEmail = await context.hooks.setupEmail(tx, { userId: setupUserId, token: oneTimeToken, now });
  const isSent = kind === 'recovery' || setupEmail !== null;
  await recordSent(tx, isSent ? userId : null, 'recovery', now);
  const content = setupEmail ?? { ...buildRecoveryEmail(context, request), decoy: !isSent };
  await context.mailer.enqueue(tx, { ...content, to: email, userId });
  await writeAuditEntry(tx, {
    action: 'user_recovery_requested',
    actor: userId === null ? null : { id: userId, email },
    client,
    traits: {
      account: keys.hmac(email, 'audit').toString('base64url'),
      sent: isSent ? content.kind : 'none',
    },
  });
}

function buildRecoveryEmail(
  { config }: AuthContext,
  { challenge, redirect, oneTimeToken: { token, code, expiresAt } }: RecoveryRequest,
): AuthEmailContent {
  const link = buildEmailLink(config, {
    token,
    type: 'recovery',
    redirect,
    pkce: challenge !== null,
    setup: true,
  });
  return { kind: 'recovery', link, code, expiresAt, data: {} };
}

/**
 * Returns the user and the email to send. Banned users and users in their cooldown get none. Neither does a user with
 * the maximum number of valid links: another one would replace one of them, and anyone can request it.
 */
async function findTarget(
  tx: Transaction,
  context: AuthContext,
  { email, inCooldown, now }: RecoveryRequest,
): Promise<Target | null> {
  const cooldownStart = new Date(now.getTime() - context.config.RESEND_COOLDOWN * 1000);
  const [target] = await tx.query<Target>(sql`
    select u.id,
      case
        when ${inCooldown}::boolean or u.banned_until > ${now} then 'none'
        -- A time in the future comes from a clock that was ahead.
        when u.recovery_sent_at > ${cooldownStart} and u.recovery_sent_at <= ${now} then 'none'
        when not coalesce((u.raw_app_meta_data ->> 'setup_required')::boolean, false) then
          case when (select count(*) from auth.one_time_tokens t where t.user_id = u.id
            and t.token_type = 'recovery' and t.expires_at > ${now}) < ${maxLinks} then 'recovery' else 'none' end
        else 'setup'
      end as kind
    from auth.users u
    where u.email = ${email} and u.deleted_at is null
    for no key update of u`);
  return target ?? null;
}
