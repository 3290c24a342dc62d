import { describe, expect, it } from 'vitest';
import { createCaptcha } from './captcha.ts';
import { RequestBody } from './request-body.ts';
import { defaultAuthSettings } from '../settings.ts';

describe('captcha', () => {
  const off = defaultAuthSettings;
  const on = { ...off, CAPTCHA_VERIFY_URL: 'https://captcha.example/siteverify', CAPTCHA_SECRET: 's' };
  const body = (token: unknown): RequestBody =>
    new RequestBody({ gotrue_meta_security: { captcha_token: token } });
  const captchaWith = (respond: () => Response) => createCaptcha(on, async () => respond());

  it('passes only if the provider reports success', async () => {
    await captchaWith(() => Response.json({ success: true })).check(body('token'), '198.51.100.1');
    const failing = [
      () => Response.json({ success: false }),
      () => Response.json({ success: 'true' }),
      () => new Response('x'),
      () => {
        throw new Error('down');
      },
    ];
    for (const respond of failing) {
      await expect(captchaWith(respond).check(body('token'), '')).rejects.toMatchObject({
        status: 400,
        code: 'captcha_failed',
      });
    }
    for (const token of [undefined, '', 5]) {
      await expect(
        captchaWith(() => Response.json({ success: true })).check(body(token), ''),
      ).rejects.toMatchObject({ code: 'captcha_failed' });
    }
  });

  it('sends no request when disabled', async () => {
    await createCaptcha(off, () => {
      throw new Error('request sent');
    }).check(new RequestBody({}), '');
  });
});
