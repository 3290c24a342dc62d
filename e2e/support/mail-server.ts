/** Fixtures for tests whose instance sends its emails to a mail server. */
import { startMailServer, type MailServer } from '../../apps/server/test/support/mail-server.ts';
import { test } from './console-fixtures.ts';
import { startInstance } from './instance.ts';

export const withMailServer = test.extend<object, { mailServer: MailServer }>({
  mailServer: [
    async ({ browser: _browser }, use) => {
      const server = await startMailServer();
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  instance: [
    async ({ mailServer }, use) => {
      const instance = await startInstance({ environment: { RATE_LIMITS: 'off', SMTP_URL: mailServer.url } });
      await use(instance);
      await instance.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});
