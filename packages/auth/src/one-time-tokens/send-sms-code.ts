/** Sends codes by text message within a cooldown, and limits messages to numbers that a user has chosen and not confirmed. */
import { AuthError, phoneProviderDisabledError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';
import type { Window } from '../http/rate-limit-counters.ts';
import { cooldownError, requireCooldownElapsed } from './cooldown.ts';

/** Seconds in which concurrent requests can read the time of the last message before one of them stores it. */
const concurrentSeconds = 10;

/** Messages to numbers that one user has chosen and not confirmed. */
const chosenNumbers = { name: 'sms-chosen', limit: 5, seconds: 3600 };

interface CodeMessage {
  /** The user or factor and the kind of message that have a cooldown of their own. */
  readonly owner: string;
  readonly phone: string;
  readonly code: string;
  /** '', `sms` or `whatsapp`. */
  readonly channel: string;
  readonly lastSentAt: Date | null;
  /**
   * Key of the limit of messages to chosen numbers: the user ID, or another one for requests of any client. Null for a
   * confirmed number, and for the number of a sign-up, which has only its cooldown and the limit per IP address.
   */
  readonly chosenNumberKey: string | null;
}

/**
 * Sends the code after the cooldown.
 *
 * @returns the provider's message ID
 * @throws AuthError 400 without a provider or for an unknown channel, 422 `sms_send_failed`, 429 during the cooldown or
 *   after too many messages to chosen numbers
 */
export async function sendSmsCode(
  context: AuthContext,
  { owner, phone, code, channel, lastSentAt, chosenNumberKey }: CodeMessage,
): Promise<string> {
  if (channel !== '' && channel !== 'sms' && channel !== 'whatsapp') {
    throw new AuthError(
      400,
      'validation_failed',
      "Invalid channel, supported values are 'sms' or 'whatsapp'",
    );
  }
  // A number with a fixed code of a compatibility run gets no message.
  if (context.config.TEST_OTPS.some((pair) => pair.startsWith(`${phone}=`))) return 'test-otp';
  if (!context.sms) throw phoneProviderDisabledError();
  requireCooldownElapsed(
    context.config,
    lastSentAt,
    await context.now(context.database),
    'over_sms_send_rate_limit',
  );
  const window = {
    name: 'sms',
    limit: 1,
    seconds: Math.min(concurrentSeconds, context.config.RESEND_COOLDOWN),
  };
  const count = async (counted: Window, key: string): Promise<void> => {
    const waitSeconds = await context.limits.countInWindow(counted, key, 1);
    if (waitSeconds > 0) throw cooldownError(waitSeconds, 'over_sms_send_rate_limit');
  };
  if (window.seconds > 0) await count(window, owner);
  if (chosenNumberKey !== null) await count(chosenNumbers, chosenNumberKey);
  try {
    return await context.sms.send({ to: phone, text: `Your code is ${code}`, channel: channel || 'sms' });
  } catch (error) {
    if (chosenNumberKey !== null) await context.limits.countInWindow(chosenNumbers, chosenNumberKey, -1);
    throw new AuthError(422, 'sms_send_failed', 'Error sending confirmation OTP to provider', {
      cause: error,
    });
  }
}
