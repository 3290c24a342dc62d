/** The auth service of a test with an SMS sender. */
import { createTestClock } from '@lanternrock/testing/test-clock';
import { createAuthService } from '../../src/auth-service.ts';
import type { SmsMessage } from '../../src/ports.ts';
import type { AuthSettings } from '../../src/settings.ts';
import { createDirectRequester, type AuthRequester } from './auth-requests.ts';
import type { AuthFixture } from './start-auth.ts';

export interface PhoneService {
  readonly auth: AuthRequester;
  /** Oldest first. */
  readonly sent: readonly SmsMessage[];
  /** Returns the code in the newest message. */
  code(): string;
}

/**
 * Creates the service. The sender rejects numbers that end in 999.
 *
 * @param settings differ from those of the fixture
 * @param sending runs while the provider accepts a message
 */
export function phoneService(
  test: AuthFixture,
  now: () => Date,
  settings: Partial<AuthSettings> = {},
  sending: () => Promise<unknown> = async () => {},
): PhoneService {
  const sent: SmsMessage[] = [];
  const sms = {
    send: async (message: SmsMessage): Promise<string> => {
      if (message.to.endsWith('999')) throw new Error('no such number');
      await sending();
      return `message-${sent.push(message)}`;
    },
  };
  const config = { ...test.options.config, PHONE: true, ...settings };
  const auth = createAuthService({ ...test.options, config, clock: createTestClock(now), sms });
  return {
    auth: createDirectRequester(auth, test.anonKey, '203.0.113.1'),
    sent,
    code: () => /\d{6}/.exec(sent.at(-1)?.text ?? '')?.[0] ?? '',
  };
}
