/** Sends a confirmation again (`POST /resend`), or a code for reauthentication (`GET /reauthenticate`). */
import { AuthError, phoneProviderDisabledError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { ClientInfo } from '../client-info.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { cooldownError, getCooldownSeconds, requireCooldownElapsed } from '../one-time-tokens/cooldown.ts';
import { requestEmailChange } from './email-change.ts';
import { parseRequiredEmail, parseRequiredPhone } from '../users/contact-input.ts';
import { readPkceChallenge, type PkceChallenge } from '../one-time-tokens/flow-state.ts';
import { enqueueTokenEmail } from '../one-time-tokens/token-email.ts';
import { createOneTimeToken, storeOneTimeToken } from '../one-time-tokens/one-time-tokens.ts';
import { startPhoneChange } from '../phone/phone-change.ts';
import { sendPhoneOtp } from '../phone/phone-otp.ts';
import { readRequestedRedirect } from '../one-time-tokens/redirect-urls.ts';
import type { RequestBody } from '../http/request-body.ts';
import { sendSmsCode } from '../one-time-tokens/send-sms-code.ts';
import {
  lockUser,
  lockUserByEmail,
  findUserByEmail,
  findUserById,
  findUserByPhone,
} from '../users/user-records.ts';
import { recordSent } from '../users/user-writes.ts';

const invalid = (message: string): AuthError => new AuthError(400, 'validation_failed', message);

export const resendToken = endpoint(
  { guard: 'anyone', limit: 'resend', body: 'required', captcha: true },
  async ({ c, context, body, client }) => {
    const type = body.getString('type');
    const byEmail = type === 'signup' || type === 'email_change';
    if (!byEmail && type !== 'sms' && type !== 'phone_change') {
      throw invalid('Missing one of these types: signup, email_change, sms, phone_change');
    }
    const [emailInput, phoneInput] = [body.getString('email'), body.getString('phone')];
    if (emailInput === '' && phoneInput === '') throw invalid('Type provided requires an email or phone');
    if (emailInput !== '' && phoneInput !== '')
      throw invalid('Only an email address or phone number should be provided.');
    if (byEmail !== (emailInput !== ''))
      throw invalid(`Type provided requires ${byEmail ? 'an email address' : 'a phone number'}`);
    if (!byEmail) {
      const phone = parseRequiredPhone(phoneInput);
      const response = await resendSmsCode(context, { type, phone, client }, body);
      // Automatic confirmation enqueues a security notice.
      context.mailer.wake();
      return c.json(response);
    }
    const redirect = readRequestedRedirect(c, context);
    await resendEmail(context, {
      type,
      email: parseRequiredEmail(emailInput),
      redirect,
      challenge: readPkceChallenge(body, context.config),
    });
    context.mailer.wake();
    return c.json({});
  },
);

interface ResendRequest {
  readonly type: 'signup' | 'email_change';
  readonly email: string;
  readonly redirect: URL | null;
  readonly challenge: PkceChallenge | null;
}

/** The response is the same for an unknown user, without a pending email, and during the cooldown. */
async function resendEmail(
  context: AuthContext,
  { type, email, redirect, challenge }: ResendRequest,
): Promise<void> {
  const strict = context.config.PROFILE !== 'compat';
  const inCooldown = (await context.limits.emailCooldownSeconds(`resend to ${email}`)) > 0;
  await context.database.transaction(async (tx) => {
    // Waits for a concurrent recovery, which cancels the change.
    await lockUserByEmail(tx, email);
    const user = await findUserByEmail(tx, email);
    const now = await context.now(tx);
    const pending =
      type === 'signup' ? user && !user.email_confirmed_at && !user.invited_at : user?.email_change;
    const sentAt = (type === 'signup' ? user?.confirmation_sent_at : user?.email_change_sent_at) ?? null;
    if (pending && !strict) requireCooldownElapsed(context.config, sentAt, now);
    const isElapsed = !inCooldown && getCooldownSeconds(context.config, sentAt, now) === 0;
    const recipient = user && pending && isElapsed ? user : null;
    if (recipient && type === 'email_change') {
      const newEmail = recipient.email_change ?? '';
      const request = { user: recipient, newEmail, redirect, challenge };
      return requestEmailChange(tx, context, request, { isRepeated: true });
    }
    await enqueueTokenEmail(tx, context, {
      type: 'signup',
      userId: recipient?.id ?? null,
      email,
      redirect,
      challenge,
    });
  });
}

interface PhoneResend {
  readonly type: 'sms' | 'phone_change';
  readonly phone: string;
  readonly client: ClientInfo;
}

async function resendSmsCode(
  context: AuthContext,
  { type, phone, client }: PhoneResend,
  body: RequestBody,
): Promise<{ message_id?: string }> {
  if (!context.config.PHONE) throw phoneProviderDisabledError();
  const user = await findUserByPhone(context.database, phone);
  if (!user) return {};
  if (type === 'sms') {
    if (user.phone_confirmed_at) return {};
    return { message_id: await sendPhoneOtp(context, user, phone, body.getString('channel')) };
  }
  if (!user.phone_change) return {};
  const { messageId, store } = await startPhoneChange(context, {
    user,
    phone: user.phone_change,
    channel: body.getString('channel'),
    client,
    // Any client can resend, and must not consume the message quota of the user.
    chosenNumberKey: `resend of ${user.id}`,
  });
  await context.database.transaction(async (tx) => {
    await lockUser(tx, user.id);
    // A recovery can have canceled the change while the message was sent.
    if ((await findUserById(tx, user.id))?.phone_change === user.phone_change) await store(tx);
  });
  return { message_id: messageId };
}

/** Sends the code that `POST /reauthenticate` accepts. */
export const sendReauthenticationCode = endpoint(
  { guard: 'user', allow: ['factor'], limit: 'reauthentication' },
  async ({ c, context, user, client }) => {
    if (!user.email && !user.phone) {
      throw invalid('Reauthentication requires the user to have an email or a phone number');
    }
    if (user.email && !user.email_confirmed_at)
      throw new AuthError(422, 'email_not_confirmed', 'Please verify your email first.');
    if (!user.email && !user.phone_confirmed_at)
      throw new AuthError(422, 'phone_not_confirmed', 'Please verify your phone first.');
    const now = await context.now(context.database);
    requireCooldownElapsed(context.config, user.reauthentication_sent_at, now);
    const window = { name: 'reauthentication-code', limit: 1, seconds: context.config.RESEND_COOLDOWN };
    // Counts concurrent requests one by one: each reads the time of the last code before another one stores it.
    const waitSeconds = window.seconds === 0 ? 0 : await context.limits.countInWindow(window, user.id, 1);
    if (waitSeconds > 0) throw cooldownError(waitSeconds);
    const oneTimeToken = createOneTimeToken(now, context.config.OTP_TTL);
    const relatesTo = user.email ?? user.phone ?? '';
    const messageId = user.email
      ? null
      : await sendSmsCode(context, {
          owner: `reauthentication of ${user.id}`,
          phone: relatesTo,
          code: oneTimeToken.code,
          channel: '',
          lastSentAt: null,
          chosenNumberKey: null,
        });
    await context.database.transaction(async (tx) => {
      await storeOneTimeToken(tx, context, {
        userId: user.id,
        type: 'reauthentication',
        oneTimeToken,
        relatesTo,
      });
      await recordSent(tx, user.id, 'reauthentication', now);
      await writeAuditEntry(tx, { action: 'user_reauthenticate_requested', actor: user, client });
      if (user.email) {
        const { code, expiresAt } = oneTimeToken;
        await context.mailer.enqueue(tx, {
          kind: 'reauthentication',
          to: user.email,
          userId: user.id,
          code,
          expiresAt,
          data: {},
        });
      }
    });
    context.mailer.wake();
    return c.json(messageId === null ? {} : { message_id: messageId });
  },
);
