/** States of all screens, for checks that apply to every screen. */
import { expect } from '@playwright/test';
import { accountPageStates } from './account-page-states.ts';
import { respondWith, holdRequests } from './console-fixtures.ts';
import { goto, heading, openView, type PageState, type StateContext } from './page-state.ts';
import { emailedLink } from './users.ts';
import { account, insertRows, requestOk, unique } from './api.ts';
import { enroll } from './second-factor.ts';

const openInvitation = async ({ page, users }: StateContext): Promise<void> => {
  const email = `${unique('state')}@example.org`;
  await users.invite(email, 'Quinn State');
  await page.goto('/admin/platform-admins');
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click();
  await expect(page.getByRole('dialog', { name: 'Quinn State' })).toBeVisible();
};

const openAdministrator = async ({ page, users }: StateContext): Promise<void> => {
  const { email, fullName } = await users.create({ fullName: 'Ada State' });
  await page.goto('/admin/platform-admins');
  await page.getByRole('row').filter({ hasText: email }).getByRole('link').click();
  const panel = page.getByRole('dialog', { name: fullName });
  await expect(panel.getByRole('list', { name: 'Sessions' })).toBeVisible();
};

const signedOut: PageState[] = [
  { name: 'sign-in form', as: 'signed-out', open: goto('/auth', 'Welcome Back') },
  {
    name: 'sign-in form with errors',
    as: 'signed-out',
    open: async ({ page }) => {
      await page.goto('/auth');
      await page.getByRole('button', { name: 'Sign In' }).click();
      await expect(page.getByText('Invalid email address')).toBeVisible();
    },
  },
  {
    name: 'reset form',
    as: 'signed-out',
    open: async ({ page }) => {
      await page.goto('/auth');
      await page.getByRole('button', { name: 'Forgot password?' }).click();
      await heading(page, 'Reset Password');
    },
  },
  {
    name: 'code of the reset email with an error',
    as: 'signed-out',
    open: async ({ page }) => {
      await page.goto('/auth');
      await page.getByLabel('Email').fill('someone@example.org');
      await page.getByRole('button', { name: 'Forgot password?' }).click();
      await page.getByRole('button', { name: 'Enter the code instead' }).click();
      await page.getByRole('button', { name: 'Verify code' }).click();
      await expect(page.getByText('Enter the six-digit code')).toBeVisible();
    },
  },
  {
    name: 'toast over the sign-in form',
    as: 'signed-out',
    open: async ({ page }) => {
      await page.goto('/auth/set-password');
      await expect(page.getByText('Invalid or expired link')).toBeVisible();
    },
  },
  {
    name: 'pending callback',
    as: 'signed-out',
    open: async ({ page }) => {
      await holdRequests(page, /\/auth\/v1\/verify/);
      await page.goto('/auth/callback?setup=true&token_hash=abc&type=invite');
      await expect(page.getByText('Completing authentication...')).toBeVisible();
    },
  },
  {
    name: 'second factor before a new password',
    as: 'signed-out',
    open: async ({ page, users, instance }) => {
      const user = await users.create();
      await enroll(instance, user);
      await requestOk(instance, '/auth/v1/recover', { body: { email: user.email } });
      const link = await emailedLink(instance, user.email, 'recovery');
      await page.goto(link.pathname + link.search);
      await heading(page, "Confirm It's You");
    },
  },
  { name: 'not found', as: 'signed-out', messages: [/404/], open: goto('/nope', '404') },
];

const signedIn: PageState[] = [
  {
    name: 'set password',
    as: 'administrator',
    open: goto('/auth/set-password?setup=true', 'Set Your Password'),
  },
  {
    name: 'choice of sign-in methods',
    as: 'administrator',
    open: async ({ page }) => {
      const times = { created_at: '2026-01-02T10:00:00Z', last_used_at: null };
      await respondWith(page, /\/auth\/v1\/user\/sign-in-methods$/, 200, [
        { id: '1', kind: 'passkey', name: 'Station laptop', ...times },
        { id: '2', kind: 'identity', name: `google: ${'long'.repeat(15)}@example.org`, ...times },
        { id: '3', kind: 'phone', name: '+41791234567', ...times },
      ]);
      await page.goto('/auth/set-password?setup=true');
      for (const label of ['Password', 'Confirm Password'])
        await page.getByLabel(label, { exact: true }).fill('a new lantern 9');
      await page.getByRole('button', { name: 'Set Password & Continue' }).click();
      await heading(page, 'Keep these sign-in methods?');
    },
  },
  ...accountPageStates,
  { name: 'admins', as: 'administrator', open: goto('/admin/platform-admins', 'Admins') },
  { name: 'invitation panel', as: 'administrator', open: openInvitation },
  {
    name: 'view menu of the administrators',
    as: 'administrator',
    open: openView('/admin/platform-admins', 'Admins'),
  },
  { name: 'administrator panel', as: 'administrator', open: openAdministrator },
  {
    name: 'end date dialog',
    as: 'administrator',
    open: async (context) => {
      await openAdministrator(context);
      await context.page.getByRole('button', { name: 'Change end date' }).click();
      await expect(context.page.getByRole('dialog', { name: 'End date for Ada State' })).toBeVisible();
    },
  },
  {
    name: 'question before a second factor is required',
    as: 'administrator',
    open: async (context) => {
      await openView('/admin/platform-admins', 'Admins')(context);
      const { page } = context;
      await page.getByRole('button', { name: 'Second factor for administrators' }).click();
      await expect(page.getByText('Without a second factor:')).toBeVisible();
    },
  },
  {
    name: 'note and expiry dialog',
    as: 'administrator',
    open: async (context) => {
      const { page } = context;
      await openInvitation(context);
      await page.getByRole('button', { name: 'Edit note and expiry' }).click();
      const dialog = page.getByRole('dialog', { name: 'Note and Expiry' });
      await dialog.getByLabel('Link expires').selectOption('At a date and time');
      await expect(dialog.getByLabel('Date and time')).toBeVisible();
    },
  },
  {
    name: 'checked list of invitees',
    as: 'administrator',
    open: async ({ page }) => {
      await page.goto('/admin/platform-admins/invite-list');
      await page
        .getByLabel('Or paste rows')
        .fill(
          `email,name,note\n${unique('state'.padEnd(40, '-x'))}@example.org,Ann Lee,Hello\nno address,Bo Ek,\n`,
        );
      await page.getByRole('button', { name: 'Use pasted rows' }).click();
      await page.getByRole('button', { name: 'Check rows' }).click();
      await expect(page.getByText('1 to invite, 1 invalid')).toBeVisible();
    },
  },
  {
    name: 'invite dialog with errors',
    as: 'administrator',
    open: async ({ page }) => {
      await page.goto('/admin/platform-admins?invite=true');
      await page.getByRole('button', { name: 'Send Invitation' }).click();
      await expect(page.getByText('Invalid email address')).toBeVisible();
    },
  },
  {
    name: 'membership',
    as: 'plain',
    // Another test can have made the user a member.
    open: goto('/admin/membership', /^You are (not )?a member of/),
  },
  { name: 'access denied', as: 'plain', open: goto('/admin/platform-admins', 'Access Denied') },
  {
    name: 'notification settings',
    as: 'administrator',
    open: goto('/admin/notifications', 'Notification Settings'),
  },
  {
    name: 'notification settings with errors',
    as: 'administrator',
    open: async ({ page }) => {
      await page.goto('/admin/notifications');
      await page.getByLabel('Sender Name').fill('');
      await page.getByRole('button', { name: 'Save Settings' }).click();
      await expect(page.getByText('Sender name is required')).toBeVisible();
    },
  },
  { name: 'analytics', as: 'administrator', open: goto('/admin/analytics', 'Global Analytics') },
  { name: 'subtypes', as: 'administrator', open: goto('/admin/subtypes', 'Subtypes') },
  { name: 'repository', as: 'administrator', open: goto('/admin/repository', 'Repository') },
  { name: 'logs', as: 'administrator', open: goto('/admin/logs', 'Logs') },
  { name: 'styleguide', as: 'administrator', open: goto('/admin/styleguide', /Design System/) },
  {
    name: 'footer menu',
    as: 'administrator',
    open: async ({ page }) => {
      await page.goto('/admin/logs');
      await page.getByRole('button', { name: 'Administrator' }).click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
  {
    name: 'command palette',
    as: 'administrator',
    open: async ({ page }) => {
      await page.goto('/admin/logs');
      await heading(page, 'Logs');
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('dialog', { name: 'Search or run a command' })).toBeVisible();
    },
  },
  {
    name: 'list of shortcuts',
    as: 'administrator',
    open: async ({ page }) => {
      await page.goto('/admin/logs');
      await heading(page, 'Logs');
      await page.keyboard.press('Control+/');
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    },
  },
  { name: 'handover', as: 'administrator', open: goto('/admin/handover', 'Handover') },
  {
    name: 'emergency sheet',
    as: 'administrator',
    // Only one account, because axe checks each row.
    open: async (context) => {
      const name = unique('sheet');
      await insertRows(context.instance, 'accounts', [account(name)]);
      await goto(`/admin/handover/sheet?q=${name}`, 'Emergency sheet')(context);
      await expect(context.page.getByRole('cell', { name })).toBeVisible();
    },
  },
  {
    name: 'import of contacts',
    as: 'administrator',
    open: goto('/admin/accounts/import-contacts', 'Import Contacts'),
  },
  { name: 'activity', as: 'administrator', open: goto('/admin/activity', 'Activity') },
  { name: 'security', as: 'administrator', open: goto('/admin/me/security', 'Security') },
  {
    name: 'dialog for an authenticator app',
    as: 'administrator',
    open: async ({ page }) => {
      await page.goto('/admin/me/security');
      await page.getByRole('button', { name: 'Add authenticator app' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
    },
  },
  {
    name: 'password dialog with errors',
    as: 'administrator',
    open: async ({ page }) => {
      await page.goto('/admin/me/security');
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click();
      await expect(page.getByText('Enter your current password')).toBeVisible();
    },
  },
  {
    name: 'collapsed sidebar',
    as: 'administrator',
    open: async ({ page }) => {
      await page.goto('/admin/logs');
      await page.getByRole('button', { name: 'Toggle Sidebar' }).click();
      await expect(page.getByRole('complementary')).toHaveAttribute('data-state', 'collapsed');
    },
  },
];

export const pageStates: readonly PageState[] = [...signedOut, ...signedIn];
