/** The console with a hosted Supabase project: schema `auth` of Supabase Auth, PostgREST, the files of hosted-supabase. */
import { expect, test as base, type Page } from '@playwright/test';
import pg from 'pg';
import { toastWith } from '../support/console-fixtures.ts';
import { password, watchConsole } from '../support/fixtures.ts';
import { hostConsole } from '../support/foreign-test.ts';
import { startHostedProject, type HostedProject } from '../support/hosted-project.ts';
import { applyPageConditions } from '../support/page-conditions.ts';

const test = base.extend<{ cleanConsole: void }, { hosted: { project: HostedProject; consoleUrl: string } }>({
  hosted: [
    async ({ browserName: _browserName }, use) => {
      let consoleUrl = '';
      const project = await startHostedProject(() => consoleUrl);
      const site = await hostConsole({
        backendUrl: project.url,
        anonKey: project.anonKey,
        features: ['auth-settings'],
      });
      consoleUrl = site.url;
      const administratorId = await project.auth.createUser('olga@example.org', password, 'Olga Owner');
      await project.auth.createUser('plain@example.org', password, 'Pat Plain');
      const owner = new pg.Client(project.ownerUrl);
      await owner.connect();
      // The last step of docs/hosted-supabase.md.
      await owner.query(`insert into public.user_roles (user_id, role) values ($1, 'platform_admin')`, [
        administratorId,
      ]);
      await owner.end();
      await use({ project, consoleUrl });
      site.stop();
      await project.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ hosted }, use) => use(hosted.consoleUrl),
  cleanConsole: [
    async ({ context, hosted }, use) => {
      const messages = watchConsole(context);
      await applyPageConditions(context);
      await use();
      expect(messages, 'console messages').toEqual([]);
      expect(hosted.project.unknown, 'unknown requests').toEqual([]);
    },
    { auto: true },
  ],
});

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/admin\/accounts$/);
}

test('an administrator creates an account and saves the sender', async ({ page }) => {
  await signIn(page, 'olga@example.org');
  await expect(page.getByRole('button', { name: 'Olga Owner' })).toBeVisible();
  await page.getByRole('button', { name: 'Add Account' }).click();
  await page.getByLabel('Account Name').fill('Vail Ski Patrol');
  await page.getByRole('dialog').getByLabel('Type').selectOption({ label: 'Organization' });
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(toastWith(page, 'Account created')).toContainText(
    'Vail Ski Patrol has been successfully created.',
  );
  await page.reload();
  await expect(page.getByRole('link', { name: 'Vail Ski Patrol', exact: true })).toBeVisible();
  await expect(page.getByText('Page 1 of 1 (1 total)')).toBeVisible();

  await page.goto('/admin/notifications');
  await page.getByLabel('Sender Email Address').fill('alerts@example.org');
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await expect(toastWith(page, 'Settings saved')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Sender Email Address')).toHaveValue('alerts@example.org');
});

test('an invited administrator sets a password and has the role', async ({ page, hosted, browser }) => {
  await signIn(page, 'olga@example.org');
  await page.goto('/admin/platform-admins?invite=true');
  await page.getByLabel('Full Name').fill('Robin Hart');
  await page.getByLabel('Email', { exact: true }).fill('robin@example.org');
  await page.getByRole('button', { name: 'Send Invitation' }).click();
  await expect(toastWith(page, 'Invitation sent!')).toContainText('robin@example.org');
  const email = hosted.project.auth.emails.find(({ to }) => to === 'robin@example.org');
  expect(email?.type).toBe('invite');

  const context = await browser.newContext({ baseURL: hosted.consoleUrl });
  const messages = watchConsole(context);
  await applyPageConditions(context);
  const invited = await context.newPage();
  await invited.goto(`/auth/callback?setup=true&token_hash=${email?.tokenHash}&type=invite`);
  await invited.getByLabel('Password', { exact: true }).fill(password);
  await invited.getByLabel('Confirm Password').fill(password);
  await invited.getByRole('button', { name: 'Set Password & Continue' }).click();
  await expect(toastWith(invited, 'Password set successfully')).toContainText('Welcome to Beacon!');
  await invited.getByRole('link', { name: 'Admins' }).click();
  await expect(invited.getByRole('row', { name: /robin@example\.org/ })).toContainText('accepted');
  expect(messages, 'console messages of the invited user').toEqual([]);
  await context.close();
});

test('a user without the role sees no accounts and no administrators', async ({ page, hosted }) => {
  const owner = new pg.Client(hosted.project.ownerUrl);
  await owner.connect();
  // Without an account, every user would see none.
  await owner.query(
    `insert into public.accounts (name, slug, account_type) values ('Aspen Patrol', 'aspen-patrol', 'enterprise')`,
  );
  await owner.end();
  await signIn(page, 'plain@example.org');
  await expect(page.getByText('No accounts yet')).toBeVisible();
  await page.getByRole('link', { name: 'Admins' }).click();
  await expect(page.getByText('Platform admin privileges are required.')).toBeVisible();
});
