/** Cooldown between two messages of the same kind to one user. */
import { AuthError } from '../auth-error.ts';
import type { AuthSettings } from '../settings.ts';

type CooldownCode = 'over_email_send_rate_limit' | 'over_sms_send_rate_limit';

/** Returns the seconds until the next message can be sent; 0 if it can be sent now. */
export function getCooldownSeconds(
  config: Pick<AuthSettings, 'RESEND_COOLDOWN'>,
  lastSentAt: Date | null,
  now: Date,
): number {
  // A time in the future comes from a clock that was ahead, and must not extend the cooldown.
  if (!lastSentAt || lastSentAt > now) return 0;
  const endsAt = lastSentAt.getTime() + config.RESEND_COOLDOWN * 1000;
  return Math.max(0, Math.ceil((endsAt - now.getTime()) / 1000));
}

/** @throws AuthError 429 with Retry-After */
export function requireCooldownElapsed(
  config: Pick<AuthSettings, 'RESEND_COOLDOWN'>,
  lastSentAt: Date | null,
  now: Date,
  code: CooldownCode = 'over_email_send_rate_limit',
): void {
  const waitSeconds = getCooldownSeconds(config, lastSentAt, now);
  if (waitSeconds > 0) throw cooldownError(waitSeconds, code);
}

export function cooldownError(
  waitSeconds: number,
  code: CooldownCode = 'over_email_send_rate_limit',
): AuthError {
  const message = `For security purposes, you can only request this after ${waitSeconds} seconds.`;
  return new AuthError(429, code, message, { headers: { 'Retry-After': String(waitSeconds) } });
}
