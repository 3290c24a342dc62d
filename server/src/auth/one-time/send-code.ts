/** Sends a short code by text message through the plugged-in sender. */
import { Refusal } from '../../errors.ts';
import type { AuthContext } from '../auth-context.ts';
import { tooSoon } from './cooldown.ts';

interface CodeMessage {
  readonly phone: string;
  readonly code: string;
  /** '' or one of sms, whatsapp. */
  readonly channel: string;
  readonly lastSentAt: Date | null;
}

/** @returns the provider's message id. @throws Refusal 400 without a sender, 429 too soon, 422 when it refuses */
export async function sendCode(
  context: AuthContext,
  { phone, code, channel, lastSentAt }: CodeMessage,
): Promise<string> {
  if (channel !== '' && channel !== 'sms' && channel !== 'whatsapp') {
    throw new Refusal(400, 'validation_failed', "Invalid channel, supported values are 'sms' or 'whatsapp'");
  }
  // Numbers with a fixed code of a compatibility run get no message.
  if (context.config.TEST_OTPS.some((pair) => pair.startsWith(`${phone}=`))) return 'test-otp';
  if (!context.sms) throw new Refusal(400, 'phone_provider_disabled', 'Unsupported phone provider');
  tooSoon(context, lastSentAt, 'over_sms_send_rate_limit');
  try {
    return await context.sms.send({ to: phone, text: `Your code is ${code}`, channel: channel || 'sms' });
  } catch (error) {
    throw new Refusal(422, 'sms_send_failed', 'Error sending confirmation OTP to provider', { cause: error });
  }
}
