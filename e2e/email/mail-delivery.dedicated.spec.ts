/** Domain check with a DNS server, and delivery while the mail server is down. */
import type { Locator, Page } from '@playwright/test';
import PostalMime from 'postal-mime';
import { startDnsServer, type DnsServer } from '../../apps/server/test/support/dns-server.ts';
import { startMailServer, type MailServer } from '../../apps/server/test/support/mail-server.ts';
import { openPanel } from '../support/admins-panel.ts';
import { fillInvitation, openAdmins, resend, rowFor } from '../support/admins-page.ts';
import { expect, test as base, toastWith } from '../support/console-fixtures.ts';
import { testPassword } from '../support/users.ts';
import { unique } from '../support/api.ts';
import { linkIn, startInstance } from '../support/instance.ts';

interface Servers {
  readonly dns: DnsServer;
  /** Current mail server. A test stops it and starts it again on the same port. */
  readonly mail: { server: MailServer };
}

const test = base.extend<object, { servers: Servers }>({
  servers: [
    async ({ browser: _browser }, use) => {
      const servers = { dns: await startDnsServer(), mail: { server: await startMailServer() } };
      await use(servers);
      await servers.dns.close();
      await servers.mail.server.close();
    },
    { scope: 'worker' },
  ],
  instance: [
    async ({ servers }, use) => {
      const instance = await startInstance({
        environment: {
          RATE_LIMITS: 'off',
          SMTP_URL: servers.mail.server.url,
          DNS_SERVERS: servers.dns.address,
          MAIL_FROM: 'alerts@mail.example.org',
        },
      });
      await use(instance);
      await instance.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});
test.use({ as: 'administrator' });

const recordFor = (page: Page, kind: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByText(kind, { exact: true }) });

test('shows published and missing DNS records and the records to publish', async ({ page, servers }) => {
  const { dns } = servers;
  dns.zone = {
    'mail.example.org': ['v=spf1 mx -all'],
    '_dmarc.mail.example.org': 'refused',
  };
  await page.goto('/admin/notifications');
  await page.getByLabel('DKIM Selector').fill('east');
  const check = page.getByRole('button', { name: 'Check domain' });
  await check.click();
  await expect(recordFor(page, 'SPF')).toContainText('Published');
  await expect(recordFor(page, 'SPF')).toContainText('v=spf1 mx -all');
  await expect(recordFor(page, 'DKIM')).toContainText('Missing');
  await expect(recordFor(page, 'DKIM')).toContainText('east._domainkey.mail.example.org');
  await expect(recordFor(page, 'DMARC')).toContainText('Unknown');

  dns.zone['east._domainkey.mail.example.org'] = ['v=DKIM1; k=rsa; p=AAAA'];
  delete dns.zone['_dmarc.mail.example.org'];
  await check.click();
  await expect(recordFor(page, 'DKIM')).toContainText('Published');
  await expect(recordFor(page, 'DMARC')).toContainText('Missing');
  await expect(recordFor(page, 'DMARC')).toContainText('v=DMARC1; p=none');
  await expect(page.getByRole('button', { name: /Copy.*DMARC/ })).toBeVisible();
});

test(
  'reports an email that was not sent while the mail server is down, with the next try, and resends it',
  { tag: ['@X13', '@C286', '@C289'] },
  async ({ page, servers, instance, openBrowser }) => {
    const email = `${unique('down')}@example.org`;
    const { url } = servers.mail.server;
    await openAdmins(page);
    await servers.mail.server.close();
    const form = await fillInvitation(page, 'Dana Down', email);
    await form.getByRole('button', { name: 'Send Invitation' }).click();
    const createdToast = toastWith(page, 'User Created Successfully');
    await expect(createdToast).toContainText(
      /not confirmed as sent yet\. \(.*ECONNREFUSED.*\) The service tries again after /,
    );
    await expect(createdToast).not.toContainText('domain');
    await createdToast.getByRole('button').click();
    await resend(page, email).click();
    const notSentToast = toastWith(page, 'Email Not Sent');
    await expect(notSentToast).toContainText("The invitation exists but email couldn't be sent.");
    await expect(notSentToast).not.toContainText('domain');
    await notSentToast.getByRole('button').click();
    const panel = await openPanel(page, email, 'Dana Down');
    const history = panel.getByRole('region', { name: 'History' });
    await expect(history.getByText('Email not accepted yet')).toBeVisible();
    await expect(history.getByText(/^Next attempt after .+\d:\d\d/)).toBeVisible();
    await expect(history.getByText('A newer email replaced this one.')).toHaveCount(1);
    await expect(panel.getByText('Creating the link cancels the queued email.')).toBeVisible();
    await expect(history.getByText(/ECONNREFUSED/)).toHaveCount(2);

    servers.mail.server = await startMailServer({ kind: 'accept' }, { port: Number(new URL(url).port) });
    await panel.getByRole('button', { name: 'Resend', exact: true }).click();
    await expect(toastWith(page, 'Email resent!')).toBeVisible();
    const [received] = servers.mail.server.messages;
    expect(received?.to).toEqual([email]);

    const invitedPage = await openBrowser(null);
    const link = linkIn(await PostalMime.parse(received?.raw ?? ''));
    await invitedPage.goto(link.replace(/^https?:\/\/[^/]+/, instance.url));
    await invitedPage.getByLabel('Password', { exact: true }).fill(testPassword);
    await invitedPage.getByLabel('Confirm Password').fill(testPassword);
    await invitedPage.getByRole('button', { name: 'Set Password & Continue' }).click();
    await expect(invitedPage).toHaveURL(/\/admin\/accounts/);
    await page.reload();
    await expect(rowFor(page, email)).toContainText('accepted');
  },
);
