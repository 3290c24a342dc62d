/** Optional CAPTCHA check by hCaptcha or Turnstile, which accept the same `siteverify` request. */
import type { AuthSettings } from '../settings.ts';
import { AuthError } from '../auth-error.ts';
import type { RequestBody } from './request-body.ts';

export interface Captcha {
  /** @throws AuthError 400 `captcha_failed` */
  check(body: RequestBody, ip: string): Promise<void>;
}

const timeoutMs = 5000;

/**
 * Creates the check. Without CAPTCHA_SECRET every request passes.
 *
 * @param send replaced in tests
 */
export function createCaptcha(
  config: Pick<AuthSettings, 'CAPTCHA_SECRET' | 'CAPTCHA_VERIFY_URL'>,
  send: typeof fetch = fetch,
): Captcha {
  if (config.CAPTCHA_SECRET === '' || config.CAPTCHA_VERIFY_URL === '') return { check: async () => {} };
  return {
    async check(body, ip) {
      const token = body.getObject('gotrue_meta_security')?.['captcha_token'];
      if (typeof token !== 'string' || token === '')
        throw captchaError('no captcha response (captcha_token) found in request');
      const form = new URLSearchParams({ secret: config.CAPTCHA_SECRET, response: token, remoteip: ip });
      // Fails closed: no response counts as a failed check.
      const result: unknown = await send(config.CAPTCHA_VERIFY_URL, {
        method: 'POST',
        body: form,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
        .then((response) => response.json())
        .catch(() => null);
      const passed =
        typeof result === 'object' && result !== null && 'success' in result && result.success === true;
      if (!passed) throw captchaError('captcha verification process failed');
    },
  };
}

const captchaError = (reason: string): AuthError =>
  new AuthError(400, 'captcha_failed', `captcha protection: request disallowed (${reason})`);
