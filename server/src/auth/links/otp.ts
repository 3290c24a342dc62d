/** `POST /otp` and `POST /magiclink` (auth contract 4.15). */
import type { Transaction } from '../../database/database.ts';
import { Refusal } from '../../errors.ts';
import { writeAudit } from '../audit.ts';
import type { AuthContext, Caller } from '../auth-context.ts';
import { endpoint } from '../endpoint.ts';
import { secondsToWait, tooSoon } from '../one-time/cooldown.ts';
import { requireEmail, requirePhone } from '../users/email-input.ts';
import { readChallenge, type Challenge } from '../one-time/flow-state.ts';
import { mailSecret } from '../one-time/mail-secret.ts';
import { phoneOtp } from '../phone/phone-otp.ts';
import { wishedRedirect } from '../one-time/redirects.ts';
import { signUpByEmail } from './signup.ts';
import { isBanned, needsSetup, userByEmail } from '../users/user-records.ts';

const invalid = (message: string): Refusal => new Refusal(400, 'validation_failed', message);

export const otp = endpoint(
  { guard: 'anyone', limit: 'otp', body: 'required', captcha: true },
  async ({ c, context, caller, body }) => {
    const { config, database, limits, outbox } = context;
    const [typedEmail, typedPhone] = [body.text('email'), body.text('phone')];
    if (typedEmail !== '' && typedPhone !== '')
      throw invalid('Only an email address or phone number should be provided');
    if (typedEmail === '' && typedPhone === '') throw invalid('One of email or phone must be set');
    if (typedPhone !== '')
      return c.json(await phoneOtp(context, { phone: requirePhone(typedPhone), body, caller }));
    if (body.text('channel') !== '') throw invalid('Channel should only be specified with Phone OTP');

    const email = requireEmail(typedEmail);
    const challenge = readChallenge(body, config);
    const redirect = wishedRedirect(c, context);
    const mayCreate = body.flag('create_user', true) && config.SIGNUP;
    const known = await userByEmail(database, email);
    if (!known && config.PROFILE === 'compat' && !mayCreate) {
      throw config.SIGNUP
        ? new Refusal(422, 'otp_disabled', 'Signups not allowed for otp')
        : new Refusal(422, 'signup_disabled', 'Signups not allowed for this instance');
    }
    if (mayCreate && (!known || !known.email_confirmed_at)) {
      const data = body.object('data') ?? {};
      if (!known || !config.AUTOCONFIRM) {
        await signUpByEmail(context, { email, passwordHash: null, data, challenge, redirect, caller });
      }
      if (!config.AUTOCONFIRM) {
        outbox.wake();
        return c.json({});
      }
    }
    const paused = (await limits.pauseBetweenEmails(`link to ${email}`)) > 0;
    await database.transaction((tx) =>
      sendMagicLink(tx, context, { email, challenge, redirect, caller, paused }),
    );
    outbox.wake();
    return c.json({});
  },
);

interface MagicLink {
  readonly email: string;
  readonly challenge: Challenge | null;
  readonly redirect: URL | null;
  readonly caller: Caller;
  /** Too soon after the last email to this address. */
  readonly paused: boolean;
}

/** To somebody known and confirmed; for everybody else the answer is the same and nothing is sent. */
async function sendMagicLink(tx: Transaction, context: AuthContext, link: MagicLink): Promise<void> {
  const { email, challenge, redirect, caller, paused } = link;
  const user = await userByEmail(tx, email);
  const welcome =
    user !== null && !isBanned(user, context.now()) && !needsSetup(user) && user.email_confirmed_at !== null;
  if (welcome && context.config.PROFILE === 'compat') tooSoon(context, user.recovery_sent_at);
  const due = welcome && !paused && secondsToWait(context, user.recovery_sent_at) === 0;
  const userId = due ? user.id : null;
  await mailSecret(tx, context, { shape: 'magiclink', userId, email, redirect, challenge });
  await writeAudit(tx, {
    action: 'user_recovery_requested',
    actor: user,
    caller,
    traits: { provider: 'magiclink' },
  });
}
