/** Whether mails arrive: the sender's domain asked of a real DNS server, and a mail server that is away. */
import type { Locator, Page } from '@playwright/test';
import PostalMime from 'postal-mime';
import { startDnsServer, type DnsServer } from '../../apps/server/test/support/dns-server.ts';
import { startMailServer, type MailServer } from '../../apps/server/test/support/mail-server.ts';
import { openPanel } from '../support/admins-panel.ts';
import { fillInvitation, openAdmins, resend, rowFor } from '../support/admins-page.ts';
import { expect, test as base, toastWith } from '../support/console-fixtures.ts';
import { secret } from '../support/users.ts';
import { unique } from '../support/api.ts';
import { linkIn, startInstance } from '../support/instance.ts';

interface Servers {
  readonly dns: DnsServer;
  /** Holds the mail server of now; stopped and started again where it was. */
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
  product: [
    async ({ servers }, use) => {
      const product = await startInstance({
        environment: {
          RATE_LIMITS: 'off',
          SMTP_URL: servers.mail.server.url,
          DNS_SERVERS: servers.dns.address,
          MAIL_FROM: 'alerts@mail.example.org',
        },
      });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});
test.use({ as: 'administrator' });

const recordOf = (page: Page, kind: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByText(kind, { exact: true }) });

test('the domain card tells what the DNS publishes, what is missing, and what to publish', async ({
  page,
  servers,
}) => {
  const { dns } = servers;
  dns.zone = {
    'mail.example.org': ['v=spf1 mx -all'],
    '_dmarc.mail.example.org': 'refused',
  };
  await page.goto('/admin/notifications');
  await page.getByLabel('DKIM Selector').fill('east');
  const check = page.getByRole('button', { name: 'Check domain' });
  await check.click();
  await expect(recordOf(page, 'SPF')).toContainText('Pass');
  await expect(recordOf(page, 'SPF')).toContainText('v=spf1 mx -all');
  await expect(recordOf(page, 'DKIM')).toContainText('Missing');
  await expect(recordOf(page, 'DKIM')).toContainText('east._domainkey.mail.example.org');
  await expect(recordOf(page, 'DMARC')).toContainText('Cannot tell');

  dns.zone['east._domainkey.mail.example.org'] = ['v=DKIM1; k=rsa; p=AAAA'];
  delete dns.zone['_dmarc.mail.example.org'];
  await check.click();
  await expect(recordOf(page, 'DKIM')).toContainText('Pass');
  await expect(recordOf(page, 'DMARC')).toContainText('Missing');
  await expect(recordOf(page, 'DMARC')).toContainText('v=DMARC1; p=none');
  await expect(page.getByRole('button', { name: /Copy.*DMARC/ })).toBeVisible();
});

test('X13 C286 C289 the mail server is down: told, kept, sent again when it is up, and accepted', async ({
  page,
  servers,
  product,
  openBrowser,
}) => {
  const email = `${unique('down')}@example.org`;
  const { url } = servers.mail.server;
  await openAdmins(page);
  await servers.mail.server.close();
  const form = await fillInvitation(page, 'Dana Down', email);
  await form.getByRole('button', { name: 'Send Invitation' }).click();
  const told = toastWith(page, 'User Created Successfully');
  await expect(told).toBeVisible();
  await told.getByRole('button').click();
  await resend(page, email).click();
  const again = toastWith(page, 'Email Not Sent');
  await expect(again).toContainText("The invitation exists but email couldn't be sent.");
  await again.getByRole('button').click();
  const panel = await openPanel(page, email, 'Dana Down');
  const history = panel.getByRole('region', { name: 'History' });
  await expect(history.getByText('Email refused')).toHaveCount(2);
  await expect(history.getByText(/ECONNREFUSED/)).toHaveCount(2);

  servers.mail.server = await startMailServer({ kind: 'take' }, { port: Number(new URL(url).port) });
  await panel.getByRole('button', { name: 'Resend', exact: true }).click();
  await expect(toastWith(page, 'Email resent!')).toBeVisible();
  const [taken] = servers.mail.server.taken;
  expect(taken?.to).toEqual([email]);

  const theirs = await openBrowser(null);
  const link = linkIn(await PostalMime.parse(taken?.raw ?? ''));
  await theirs.goto(link.replace(/^https?:\/\/[^/]+/, product.url));
  await theirs.getByLabel('Password', { exact: true }).fill(secret);
  await theirs.getByLabel('Confirm Password').fill(secret);
  await theirs.getByRole('button', { name: 'Set Password & Continue' }).click();
  await expect(theirs).toHaveURL(/\/admin\/accounts/);
  await page.reload();
  await expect(rowFor(page, email)).toContainText('accepted');
});
