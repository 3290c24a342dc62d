/**
 * Sign-in and linking with a provider on another site (127.0.0.1, the instance is at localhost) that responds with
 * a cross-site form. Checks that a real browser sends the state cookie in each step.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@lanternrock/testing/free-port';
import {
  clientId,
  clientSecret,
  startOpenIdProvider,
} from '../../apps/server/test/support/oidc-providers.ts';
import { expect, test } from '../support/console-fixtures.ts';
import { startInstance } from '../support/instance.ts';

test(
  'signs in by a form response and links after a click',
  { tag: '@AUTH-41' },
  async ({ page, browser }) => {
    const port = await freePort();
    const site = `http://localhost:${port}`;
    const users = new Map<string, Record<string, unknown>>();
    const provider = await startOpenIdProvider(users, `${site}/auth/v1/callback`);
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-oauth-'));
    const file = path.join(directory, 'providers.json');
    const settings = { client_id: clientId, client_secret: clientSecret, response_mode: 'form_post' };
    const providers = {
      keycloak: { ...settings, issuer: provider.url },
      other: { ...settings, issuer: provider.url },
    };
    fs.writeFileSync(file, JSON.stringify(providers));
    const instance = await startInstance({ environment: { PORT: String(port), OAUTH_PROVIDERS_FILE: file } });
    const api = async (method: string, at: string, key: string, body?: object): Promise<Response> =>
      fetch(`${instance.url}/auth/v1${at}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const login = { email: `${randomUUID()}@example.org`, password: 'lantern on the pier 7' };
    await api('POST', '/admin/users', instance.serviceRoleKey(), { ...login, email_confirm: true });
    const first = randomUUID();
    users.set(first, { email: login.email, email_verified: true });
    const redirectTo = `${site}/favicon.svg`;
    const redirectPattern = /\/favicon\.svg#access_token=([^&]+)/;

    const query = new URLSearchParams({ provider: 'keycloak', redirect_to: redirectTo, login_hint: first });
    await page.goto(`${site}/auth/v1/authorize?${query.toString()}`);
    await page.waitForURL(redirectPattern);
    const token = redirectPattern.exec(page.url())?.[1] ?? '';

    const second = randomUUID();
    const remote = `${second}@example.net`;
    users.set(second, { email: remote, email_verified: true });
    const start = async (): Promise<string> => {
      const linking = {
        provider: 'other',
        skip_http_redirect: 'true',
        redirect_to: redirectTo,
        login_hint: second,
      };
      const at = `/user/identities/authorize?${new URLSearchParams(linking).toString()}&prompt=login`;
      return ((await (await api('GET', at, token)).json()) as { url: string }).url;
    };
    const confirm = page.getByRole('button', { name: 'Link account' });
    await page.goto(await start());
    await expect(confirm).toBeVisible();
    await expect(page.getByText(login.email)).toBeVisible();
    await expect(page.getByText(remote)).toBeVisible();

    // Another browser with the URL of the form response has neither cookie nor session.
    const otherContext = await browser.newContext();
    const otherPage = await otherContext.newPage();
    await otherPage.goto(page.url());
    expect(otherPage.url()).toContain('error_code=bad_oauth_state');
    await otherContext.close();

    await confirm.click();
    await page.waitForURL(redirectPattern);
    const user = (await (await api('GET', '/user', token)).json()) as { identities: { provider: string }[] };
    expect(user.identities.map((identity) => identity.provider).sort()).toEqual([
      'email',
      'keycloak',
      'other',
    ]);
    await instance.stop();
    await provider.close();
    fs.rmSync(directory, { recursive: true });
  },
);
