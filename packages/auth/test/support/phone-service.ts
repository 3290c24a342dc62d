/** The auth service of a test with an SMS sender. */
import { createAuthService } from '../../src/auth-service.ts';
import { readProviders } from '../../src/oauth/providers.ts';
import type { SmsMessage } from '../../src/ports.ts';
import type { Config } from '../../../../apps/server/src/config/settings.ts';
import { createDirectRequester, type AuthRequester } from './auth-requests.ts';
import type { TestService } from '../../../../apps/server/test/support/test-service.ts';

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
 * @param settings differ from those of the test service
 * @param sending runs while the provider accepts a message
 */
export function phoneService(
  test: TestService,
  now: () => Date,
  settings: Partial<Config> = {},
  sending: () => Promise<unknown> = async () => {},
): PhoneService {
  const sent: SmsMessage[] = [];
  const { config, database, keys, hasher, outbox, log } = test.service;
  const sms = {
    send: async (message: SmsMessage): Promise<string> => {
      if (message.to.endsWith('999')) throw new Error('no such number');
      await sending();
      return `message-${sent.push(message)}`;
    },
  };
  const service = { config: { ...config, PHONE: true, ...settings }, database, keys, hasher, log };
  const providers = readProviders(config.OAUTH_PROVIDERS_FILE);
  const auth = createAuthService({ ...service, mailer: outbox, providers, now, sms });
  return {
    auth: createDirectRequester(auth, test.anonKey, '203.0.113.1'),
    sent,
    code: () => /\d{6}/.exec(sent.at(-1)?.text ?? '')?.[0] ?? '',
  };
}
