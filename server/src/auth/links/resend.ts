/** `POST /resend` (4.16) and `GET /reauthenticate` (4.17). */
import { sql } from '../../database/sql.ts';
import { Refusal } from '../../errors.ts';
import { writeAudit } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import { endpoint } from '../endpoint.ts';
import { secondsToWait, tooSoon } from '../one-time/cooldown.ts';
import { requestEmailChange } from './email-change.ts';
import { requireEmail, requirePhone } from '../users/email-input.ts';
import { readChallenge } from '../one-time/flow-state.ts';
import { mailSecret } from '../one-time/mail-secret.ts';
import { newSecret, storeSecret } from '../one-time/one-time-tokens.ts';
import { beginPhoneChange } from '../phone/phone-change.ts';
import { sendPhoneCode } from '../phone/phone-otp.ts';
import { wishedRedirect } from '../one-time/redirects.ts';
import type { RequestBody } from '../request-body.ts';
import { sendCode } from '../one-time/send-code.ts';
import { lockUser, userByEmail, userById, userByPhone } from '../users/user-records.ts';

const invalid = (message: string): Refusal => new Refusal(400, 'validation_failed', message);

export const resend = endpoint(
  { guard: 'anyone', limit: 'resend', body: 'required', captcha: true },
  async ({ c, context, body }) => {
    const type = body.text('type');
    const byMail = type === 'signup' || type === 'email_change';
    if (!byMail && type !== 'sms' && type !== 'phone_change') {
      throw invalid('Missing one of these types: signup, email_change, sms, phone_change');
    }
    const [typedEmail, typedPhone] = [body.text('email'), body.text('phone')];
    if (typedEmail === '' && typedPhone === '') throw invalid('Type provided requires an email or phone');
    if (typedEmail !== '' && typedPhone !== '')
      throw invalid('Only an email address or phone number should be provided.');
    if (byMail !== (typedEmail !== ''))
      throw invalid(`Type provided requires ${byMail ? 'an email address' : 'a phone number'}`);
    if (!byMail) return c.json(await resendCode(context, type, requirePhone(typedPhone), body));
    const redirect = wishedRedirect(c, context);
    await resendMail(context, type, requireEmail(typedEmail), redirect, body);
    context.outbox.wake();
    return c.json({});
  },
);

/** Nothing pending, nobody there, or too soon: the same answer. */
async function resendMail(
  context: AuthContext,
  type: 'signup' | 'email_change',
  email: string,
  redirect: URL | null,
  body: RequestBody,
): Promise<void> {
  const challenge = readChallenge(body, context.config);
  const strict = context.config.PROFILE !== 'compat';
  const paused = (await context.limits.pauseBetweenEmails(`resend to ${email}`)) > 0;
  await context.database.transaction(async (tx) => {
    // Waits for a concurrent recovery, which ends the change.
    await tx.query(sql`select from auth.users where email = ${email} for update`);
    const user = await userByEmail(tx, email);
    const pending =
      type === 'signup' ? user && !user.email_confirmed_at && !user.invited_at : user?.email_change;
    const sentAt = (type === 'signup' ? user?.confirmation_sent_at : user?.email_change_sent_at) ?? null;
    if (pending && !strict) tooSoon(context, sentAt);
    const due = user && pending && !paused && secondsToWait(context, sentAt) === 0 ? user : null;
    if (due && type === 'email_change') {
      const newEmail = due.email_change ?? '';
      return requestEmailChange(tx, context, { user: due, newEmail, redirect, challenge });
    }
    await mailSecret(tx, context, { shape: 'signup', userId: due?.id ?? null, email, redirect, challenge });
  });
}

async function resendCode(
  context: AuthContext,
  type: 'sms' | 'phone_change',
  phone: string,
  body: RequestBody,
): Promise<{ message_id?: string }> {
  if (!context.config.PHONE) throw new Refusal(400, 'phone_provider_disabled', 'Unsupported phone provider');
  const user = await userByPhone(context.database, phone);
  if (!user) return {};
  if (type === 'sms') {
    if (user.phone_confirmed_at) return {};
    return { message_id: await sendPhoneCode(context, user, phone, body.text('channel')) };
  }
  if (!user.phone_change) return {};
  const request = { user, phone: user.phone_change, channel: body.text('channel') };
  const { messageId, keep } = await beginPhoneChange(context, request);
  await context.database.transaction(async (tx) => {
    await lockUser(tx, user.id);
    // A recovery may have ended the change while the message was sent.
    if ((await userById(tx, user.id))?.phone_change === user.phone_change) await keep(tx);
  });
  return { message_id: messageId };
}

/** Sends the code that `POST /reauthenticate` takes. */
export const sendReauthentication = endpoint(
  { guard: 'user', allow: ['factor'], limit: 'otp' },
  async ({ c, context, user, caller }) => {
    if (!user.email && !user.phone) {
      throw invalid('Reauthentication requires the user to have an email or a phone number');
    }
    if (user.email && !user.email_confirmed_at)
      throw new Refusal(422, 'email_not_confirmed', 'Please verify your email first.');
    if (!user.email && !user.phone_confirmed_at)
      throw new Refusal(422, 'phone_not_confirmed', 'Please verify your phone first.');
    tooSoon(context, user.reauthentication_sent_at);
    const secret = newSecret(context, context.config.OTP_TTL);
    const relatesTo = user.email ?? user.phone ?? '';
    const messageId = user.email
      ? null
      : await sendCode(context, { phone: relatesTo, code: secret.code, channel: '', lastSentAt: null });
    await context.database.transaction(async (tx) => {
      await storeSecret(tx, context, { userId: user.id, type: 'reauthentication', secret, relatesTo });
      await tx.query(
        sql`update auth.users set reauthentication_sent_at = ${context.now()} where id = ${user.id}`,
      );
      await writeAudit(tx, { action: 'user_reauthenticate_requested', actor: user, caller });
      if (user.email) {
        const { code, expiresAt } = secret;
        await context.outbox.enqueue(tx, {
          kind: 'reauthentication',
          to: user.email,
          userId: user.id,
          code,
          expiresAt,
        });
      }
    });
    context.outbox.wake();
    return c.json(messageId === null ? {} : { message_id: messageId });
  },
);
