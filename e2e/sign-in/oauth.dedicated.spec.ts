/**
 * Sign-in and linking with a provider on another site (127.0.0.1, the instance is at localhost) that responds with
 * a cross-site form. Checks that a real browser sends the state cookie in each step.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@lanternrock/testing/free-port';
import { clientId, clientSecret, startOpenIdProvider } from '@lanternrock/auth/test-support/oidc-providers';
import { requestOk } from '../support/api.ts';
import { expect, test as base } from '../support/console-fixtures.ts';
import { startInstance } from '../support/instance.ts';

interface Provider {
  readonly url: string;
  /** Claims of the users of the provider, by subject. */
  readonly users: Map<string, Record<string, unknown>>;
  /** Port of the instance, which the provider redirects to. */
  readonly instancePort: number;
}

const test = base.extend<object, { provider: Provider }>({
  provider: [
    async ({ browser: _browser }, use) => {
      const instancePort = await freePort();
      const users: Provider['users'] = new Map();
      const callbackUrl = `http://localhost:${instancePort}/auth/v1/callback`;
      const { url, close } = await startOpenIdProvider(users, callbackUrl);
      await use({ url, users, instancePort });
      await close();
    },
    { scope: 'worker' },
  ],
  instance: [
    async ({ provider: { url: issuer, instancePort } }, use) => {
      const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-oauth-'));
      const file = path.join(directory, 'providers.json');
      const settings = {
        client_id: clientId,
        client_secret: clientSecret,
        response_mode: 'form_post',
        issuer,
      };
      fs.writeFileSync(file, JSON.stringify({ keycloak: settings, other: settings }));
      const instance = await startInstance({
        environment: { PORT: String(instancePort), OAUTH_PROVIDERS_FILE: file },
      });
      await use(instance);
      await instance.stop();
      fs.rmSync(directory, { recursive: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test(
  'signs in by a form response and links after a click',
  { tag: '@AUTH-41' },
  async ({ page, instance, provider, openBrowser }) => {
    const site = `http://localhost:${provider.instancePort}`;
    const redirectPattern = /\/favicon\.svg#access_token=([^&]+)/;
    const addProviderUser = (email: string): string => {
      const subject = randomUUID();
      provider.users.set(subject, { email, email_verified: true });
      return subject;
    };
    const authorizeQuery = (name: string, subject: string): string =>
      new URLSearchParams({
        provider: name,
        redirect_to: `${site}/favicon.svg`,
        login_hint: subject,
      }).toString();

    const email = `${randomUUID()}@example.org`;
    await requestOk(instance, '/auth/v1/admin/users', {
      token: instance.serviceRoleKey(),
      body: { email, password: 'lantern on the pier 7', email_confirm: true },
    });
    await page.goto(`${site}/auth/v1/authorize?${authorizeQuery('keycloak', addProviderUser(email))}`);
    await page.waitForURL(redirectPattern);
    const token = redirectPattern.exec(page.url())?.[1] ?? '';

    const linkedEmail = `${randomUUID()}@example.net`;
    const query = authorizeQuery('other', addProviderUser(linkedEmail));
    const linking = (await requestOk(
      instance,
      `/auth/v1/user/identities/authorize?${query}&skip_http_redirect=true&prompt=login`,
      { token },
    )) as { url: string };
    await page.goto(linking.url);
    const confirm = page.getByRole('button', { name: 'Link account' });
    await expect(confirm).toBeVisible();
    await expect(page.getByText(email)).toBeVisible();
    await expect(page.getByText(linkedEmail)).toBeVisible();

    // Another browser with the URL of the form response has neither cookie nor session.
    const otherPage = await openBrowser(null);
    await otherPage.goto(page.url());
    expect(otherPage.url()).toContain('error_code=bad_oauth_state');

    await confirm.click();
    await page.waitForURL(redirectPattern);
    const user = (await requestOk(instance, '/auth/v1/user', { token })) as {
      identities: { provider: string }[];
    };
    const linked = user.identities.map((identity) => identity.provider).sort();
    expect(linked).toEqual(['email', 'keycloak', 'other']);
  },
);
