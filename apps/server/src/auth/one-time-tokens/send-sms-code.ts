/** Sends a short code by text message through the plugged-in sender. */
import { ApiError } from '../../errors.ts';
import type { AuthContext } from '../auth-context.ts';
import { requireCooldownElapsed } from './cooldown.ts';

interface CodeMessage {
  readonly phone: string;
  readonly code: string;
  /** '' or one of sms, whatsapp. */
  readonly channel: string;
  readonly lastSentAt: Date | null;
}

/** @returns the provider's message id. @throws ApiError 400 without a sender, 429 too soon, 422 when it refuses */
export async function sendSmsCode(
  context: AuthContext,
  { phone, code, channel, lastSentAt }: CodeMessage,
): Promise<string> {
  if (channel !== '' && channel !== 'sms' && channel !== 'whatsapp') {
    throw new ApiError(400, 'validation_failed', "Invalid channel, supported values are 'sms' or 'whatsapp'");
  }
  // Numbers with a fixed code of a compatibility run get no message.
  if (context.config.TEST_OTPS.some((pair) => pair.startsWith(`${phone}=`))) return 'test-otp';
  if (!context.sms) throw new ApiError(400, 'phone_provider_disabled', 'Unsupported phone provider');
  requireCooldownElapsed(context, lastSentAt, 'over_sms_send_rate_limit');
  try {
    return await context.sms.send({ to: phone, text: `Your code is ${code}`, channel: channel || 'sms' });
  } catch (error) {
    throw new ApiError(422, 'sms_send_failed', 'Error sending confirmation OTP to provider', {
      cause: error,
    });
  }
}
