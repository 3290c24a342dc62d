/** `POST /otp` and `POST /magiclink`: send a sign-in link or code, and create the user if sign-up is on. */
import type { Transaction } from '@lanternrock/postgres';
import { AuthError, signUpDisabledError } from '../auth-error.ts';
import { writeAuditEntry } from '../audit.ts';
import type { AuthContext } from '../auth-context.ts';
import type { ClientInfo } from '../client-info.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { getCooldownSeconds, requireCooldownElapsed } from '../one-time-tokens/cooldown.ts';
import { parseRequiredEmail, parseRequiredPhone } from '../users/contact-input.ts';
import { readPkceChallenge, type PkceChallenge } from '../one-time-tokens/flow-state.ts';
import { enqueueTokenEmail } from '../one-time-tokens/token-email.ts';
import { canAddMagicLink } from '../one-time-tokens/one-time-tokens.ts';
import { handlePhoneOtp } from '../phone/phone-otp.ts';
import { readRequestedRedirect } from '../one-time-tokens/redirect-urls.ts';
import { signUpByEmail } from './sign-up-by-email.ts';
import { isBanned, needsSetup, findUserByEmail } from '../users/user-records.ts';

const invalid = (message: string): AuthError => new AuthError(400, 'validation_failed', message);

export const sendOtp = endpoint(
  { guard: 'anyone', limit: 'otp', body: 'required', captcha: true },
  async ({ c, context, client, body }) => {
    const { config, database, limits, mailer } = context;
    const [emailInput, phoneInput] = [body.getString('email'), body.getString('phone')];
    if (emailInput !== '' && phoneInput !== '')
      throw invalid('Only an email address or phone number should be provided');
    if (emailInput === '' && phoneInput === '') throw invalid('One of email or phone must be set');
    if (phoneInput !== '')
      return c.json(await handlePhoneOtp(context, { phone: parseRequiredPhone(phoneInput), body, client }));
    if (body.getString('channel') !== '') throw invalid('Channel should only be specified with Phone OTP');

    const email = parseRequiredEmail(emailInput);
    const challenge = readPkceChallenge(body, config);
    const redirect = readRequestedRedirect(c, context);
    const canCreate = body.getBoolean('create_user', true) && config.SIGNUP;
    const existing = await findUserByEmail(database, email);
    if (!existing && config.PROFILE === 'compat' && !canCreate) {
      throw config.SIGNUP
        ? new AuthError(422, 'otp_disabled', 'Signups not allowed for otp')
        : signUpDisabledError();
    }
    if (canCreate && (!existing || !existing.email_confirmed_at)) {
      const data = body.getObject('data') ?? {};
      if (!existing || !config.AUTOCONFIRM) {
        await signUpByEmail(context, { email, passwordHash: null, data, challenge, redirect, client });
      }
      if (!config.AUTOCONFIRM) {
        mailer.wake();
        return c.json({});
      }
    }
    const inCooldown = (await limits.emailCooldownSeconds(`link to ${email}`)) > 0;
    await database.transaction((tx) =>
      sendMagicLink(tx, context, { email, challenge, redirect, client, inCooldown }),
    );
    mailer.wake();
    return c.json({});
  },
);

interface MagicLink {
  readonly email: string;
  readonly challenge: PkceChallenge | null;
  readonly redirect: URL | null;
  readonly client: ClientInfo;
  /** The cooldown of this address has not elapsed. */
  readonly inCooldown: boolean;
}

/**
 * Sends a link to a known and confirmed user. For any other address, the response and the statements are the same.
 */
async function sendMagicLink(tx: Transaction, context: AuthContext, link: MagicLink): Promise<void> {
  const { email, challenge, redirect, client, inCooldown } = link;
  const user = await findUserByEmail(tx, email);
  const now = await context.now(tx);
  const eligible =
    user !== null && !isBanned(user, now) && !needsSetup(user) && user.email_confirmed_at !== null;
  if (eligible && context.config.PROFILE === 'compat')
    requireCooldownElapsed(context.config, user.recovery_sent_at, now);
  const canAdd = await canAddMagicLink(tx, context, user?.id ?? null);
  const shouldSend =
    eligible && canAdd && !inCooldown && getCooldownSeconds(context.config, user.recovery_sent_at, now) === 0;
  const userId = shouldSend ? user.id : null;
  await enqueueTokenEmail(tx, context, { type: 'magiclink', userId, email, redirect, challenge });
  await writeAuditEntry(tx, {
    action: 'user_recovery_requested',
    actor: user,
    client,
    traits: { provider: 'magiclink' },
  });
}
