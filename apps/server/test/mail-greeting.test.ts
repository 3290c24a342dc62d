/** The name with which the service greets a mail server. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../src/config/settings.ts';
import { createSmtpTransport } from '../src/mail/smtp-transport.ts';
import { startMailServer, type MailServer } from './support/mail-server.ts';

let mailServer: MailServer;
beforeAll(async () => {
  mailServer = await startMailServer();
});
afterAll(async () => mailServer.close());

it.each([
  [{ SITE_URL: 'https://münchen.example' }, 'xn--mnchen-3ya.example'],
  [{ SITE_URL: 'http://10.1.2.3:3000', MAIL_FROM: 'a@mail.example.org' }, 'mail.example.org'],
  [{ SITE_URL: 'https://console.example.org', SMTP_EHLO_NAME: 'relay.example.org' }, 'relay.example.org'],
])('with %j, greets the mail server as %s', async (settings, name) => {
  const transport = createSmtpTransport(readConfig({ SMTP_URL: mailServer.url, ...settings }), 3000);
  const email = { from: 'a@example.org', to: 'b@example.org', subject: 'Test', text: 'Test' };
  expect(await transport.deliver(email)).toMatchObject({ outcome: 'handed_over' });
  expect(mailServer.clientName).toBe(name);
  await transport.close();
});
