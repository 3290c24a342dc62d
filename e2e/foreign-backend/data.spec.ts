/** Data API and function of a Supabase-compatible backend without the extensions of this project. */
import type { Page } from '@playwright/test';
import { invitation, owner, type Row } from '../support/foreign-backend.ts';
import { expect, failedLoad, requestsTo, test, toastWith } from '../support/foreign-test.ts';
import { account } from '../support/api.ts';

const html = '<html><body>Bad gateway of the proxy</body></html>';
const empty404 = { status: 404, body: '' };
const down = { status: 500, body: { code: 'XX000', message: 'The database is down' } };

async function invite(page: Page): Promise<void> {
  await page.goto('/admin/platform-admins?invite=true');
  await page.getByLabel('Full Name').fill('Robin Hart');
  await page.getByLabel('Email', { exact: true }).fill('robin@example.org');
  await page.getByRole('button', { name: 'Send Invitation' }).click();
}

const manyAccounts = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    ...account(`Account ${index}`),
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    created_by: null,
    created_at: new Date(1_700_000_000_000 + index * 1000).toISOString(),
    updated_at: new Date(1_700_000_000_000).toISOString(),
  }));

test.describe('accounts', () => {
  for (const ignoresLimit of [false, true]) {
    test(`counts and searches the complete list without a total from a backend that ${ignoresLimit ? 'ignores' : 'applies'} the limit`, async ({
      page,
      backend,
    }) => {
      backend.tables['accounts'] = manyAccounts(450);
      backend.behavior.ignoresLimit = ignoresLimit;
      await page.goto('/admin/accounts');
      await expect(page.getByText('Page 1 of 1 (450 total)')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Account 449', exact: true })).toBeVisible();
      await page.getByRole('searchbox').fill('account-3');
      await expect(page.getByRole('link', { name: 'Account 3', exact: true })).toBeVisible();
      // This backend has no contacts.
      await page.getByRole('searchbox').fill('no such account');
      await page.getByRole('button', { name: 'Search cities too' }).press('Enter');
      await expect(page.getByText('The search includes cities.')).toBeVisible();
      const [read] = requestsTo(backend, /^GET \/rest\/v1\/accounts/);
      // The boot script encodes no comma, the client does.
      expect(decodeURIComponent(read?.path ?? '')).toMatch(/\?select=\*&order=created_at\.desc(?:[,&]|$)/);
    });
  }

  test('shows an empty list for an empty 404, and the message of an error', async ({
    page,
    backend,
    expectedMessages,
  }) => {
    expectedMessages.push(/Failed to load resource/);
    backend.substitute(/^GET \/rest\/v1\/account/, empty404);
    await page.goto('/admin/accounts');
    await expect(page.getByText('No accounts yet')).toBeVisible();
    for (const [response, text] of [
      [down, 'The database is down'],
      [{ status: 502, body: html }, '(Status 502)'],
      [{ status: 200, body: html }, 'returned an invalid response'],
    ] as const) {
      backend.substitute(/^GET \/rest\/v1\/accounts/, response);
      await page.reload();
      await expect(toastWith(page, 'Error fetching accounts')).toContainText(text);
      await expect(page.getByText(/Bad gateway of|<html/)).toHaveCount(0);
    }
  });

  test('stores an account with the nine fields, or shows the error', async ({
    page,
    backend,
    expectedMessages,
  }) => {
    expectedMessages.push(failedLoad(403));
    await page.goto('/admin/accounts?new=true');
    await page.getByLabel('Account Name').fill('Vail Ski Patrol');
    await page.getByRole('dialog').getByLabel('Type').selectOption('organization');
    const denied = { code: '42501', message: 'new row violates row-level security policy', details: null };
    backend.substitute(/^POST \/rest\/v1\/accounts/, { status: 403, body: denied }, 1);
    await page.getByRole('button', { name: 'Create Account' }).click();
    await expect(toastWith(page, 'Error creating account')).toBeVisible();
    await page.getByRole('button', { name: 'Create Account' }).click();
    await expect(toastWith(page, 'Account created')).toContainText(
      'Vail Ski Patrol has been successfully created.',
    );
    await expect(page.getByRole('row', { name: /Vail Ski Patrol/ })).toBeVisible();
    const request = requestsTo(backend, /^POST \/rest\/v1\/accounts/).at(-1);
    expect(request?.headers['idempotency-key']).toBeUndefined();
    expect(request?.body).toEqual({
      name: 'Vail Ski Patrol',
      slug: 'vail-ski-patrol',
      account_type: 'organization',
      address: null,
      city: null,
      state: null,
      zip_code: null,
      status: 'active',
      created_by: owner.id,
    });
  });

  test('stores nothing without a session', async ({ page, backend }) => {
    await page.goto('/admin/accounts?new=true');
    await page.getByLabel('Account Name').fill('Vail Ski Patrol');
    await page.getByRole('dialog').getByLabel('Type').selectOption('organization');
    await page.evaluate(() => localStorage.clear());
    await page.getByRole('button', { name: 'Create Account' }).click();
    await expect(toastWith(page, 'Authentication required')).toContainText(
      'You must be logged in to create an account',
    );
    expect(backend.tables['accounts']).toEqual([]);
  });
});

test.describe('role', () => {
  const page404 = 'Access Denied';

  test('accepts several rows as an administrator, but not none or an empty 404', async ({
    page,
    backend,
    expectedMessages,
  }) => {
    expectedMessages.push(failedLoad(404));
    backend.tables['user_roles']?.push({ user_id: owner.id, role: 'platform_admin' });
    await page.goto('/admin/platform-admins');
    await expect(page.getByText('No invitations sent yet')).toBeVisible();
    backend.tables['user_roles'] = [{ user_id: owner.id, role: 'viewer' }];
    await page.reload();
    await expect(page.getByText(page404)).toBeVisible();
    backend.substitute(/user_roles/, empty404);
    await page.reload();
    await expect(page.getByText(page404)).toBeVisible();
    expect(requestsTo(backend, /account_members.*status=eq.active/).length).toBeGreaterThan(0);
  });

  test('shows an error if the role returned an invalid response', async ({
    page,
    backend,
    expectedMessages,
  }) => {
    expectedMessages.push(failedLoad(500));
    backend.substitute(/user_roles/, down, 1);
    await page.goto('/admin/platform-admins');
    await expect(page.getByText('Your role could not be checked')).toBeVisible();
    await expect(page.getByText(page404)).toHaveCount(0);
    await expect(page.getByRole('table')).toHaveCount(0);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('No invitations sent yet')).toBeVisible();
  });
});

test.describe('invitations', () => {
  test('treats a success status without an error in the body as success', async ({ page, backend }) => {
    for (const body of [{}, { success: true, error: null }, { id: 7 }, [], 'sent', '']) {
      backend.substitute(/^POST \/functions/, { status: 200, body });
      await invite(page);
      await expect(toastWith(page, 'Invitation sent!'), JSON.stringify(body)).toContainText(
        'An invitation email has been sent to robin@example.org',
      );
    }
    const sent = requestsTo(backend, /^POST \/functions/);
    expect(sent).toHaveLength(6);
    expect(sent[0]?.body).toEqual({ email: 'robin@example.org', full_name: 'Robin Hart' });
    expect(sent[0]?.headers.authorization).toMatch(/^Bearer .+\..+\./);
  });

  test('reloads the list after an invitation', async ({ page }) => {
    await invite(page);
    await expect(page.getByRole('row', { name: /robin@example.org/ })).toContainText('pending');
  });

  test('shows an email that was not sent, and every error', async ({ page, backend, expectedMessages }) => {
    expectedMessages.push(/Failed to load resource/);
    for (const [status, body, title, text] of [
      [200, { success: false }, 'User Created Successfully', /email could not be sent.*verified/],
      [200, { success: false, error: 'No such domain' }, 'User Created Successfully', /No such domain/],
      [200, { error: 'Already invited' }, 'Failed to send invitation', /Already invited/],
      [200, { error: { message: 'Quota' }, success: true }, 'Failed to send invitation', /Quota/],
      [400, { error: 'Invalid name' }, 'Failed to send invitation', /Invalid name/],
      [502, html, 'Failed to send invitation', /non-2xx/],
    ] as const) {
      backend.substitute(/^POST \/functions/, { status, body });
      await invite(page);
      await expect(toastWith(page, title), JSON.stringify(body)).toContainText(text);
    }
    await expect(page.getByText(/Bad gateway of|<html/)).toHaveCount(0);
  });

  test('reports a resend as sent, not sent or failed', async ({ page, backend, expectedMessages }) => {
    expectedMessages.push(/Failed to load resource/);
    backend.tables['user_invitations'] = [
      invitation,
      { ...invitation, id: 'i2', email: 'b@example.org', status: 'accepted' },
    ];
    await page.goto('/admin/platform-admins');
    const resend = page.getByRole('row', { name: /robin@/ }).getByRole('button', { name: 'Resend' });
    await expect(
      page.getByRole('row', { name: /b@/ }).getByRole('button', { name: 'Resend' }),
    ).toBeDisabled();
    await resend.click();
    await expect(toastWith(page, 'Email resent!')).toBeVisible();
    backend.substitute(/^POST \/functions/, { status: 200, body: { success: false } });
    await resend.click();
    await expect(toastWith(page, 'Email Not Sent')).toContainText(
      "The invitation exists but email couldn't be sent.",
    );
    backend.substitute(/^POST \/functions/, null);
    await resend.click();
    await expect(toastWith(page, 'Failed to resend invitation')).toContainText('Failed to send a request');
  });

  test('shows "Not authenticated" without a session', async ({ page, backend }) => {
    await page.goto('/admin/platform-admins?invite=true');
    await page.getByLabel('Full Name').fill('Robin Hart');
    await page.getByLabel('Email', { exact: true }).fill('robin@example.org');
    await page.evaluate(() => localStorage.clear());
    await page.getByRole('button', { name: 'Send Invitation' }).click();
    await expect(toastWith(page, 'Failed to send invitation')).toContainText('Not authenticated');
    expect(requestsTo(backend, /^POST \/functions/)).toEqual([]);
  });

  test('shows an empty list for an empty 404, and asks before Cancel and Escape discard input', async ({
    page,
    backend,
    expectedMessages,
  }) => {
    expectedMessages.push(failedLoad(404));
    backend.substitute(/user_invitations/, empty404);
    await page.goto('/admin/platform-admins');
    await expect(page.getByText('No invitations sent yet')).toBeVisible();
    await page.getByRole('button', { name: 'Invite Admin' }).click();
    await page.getByLabel('Full Name').fill('Robin Hart');
    const confirmation = page.getByRole('alertdialog', { name: 'Discard the invitation?' });
    await page.getByRole('button', { name: 'Cancel' }).click();
    await confirmation.getByRole('button', { name: 'Keep editing' }).click();
    await expect(page.getByLabel('Full Name')).toHaveValue('Robin Hart');
    await page.keyboard.press('Escape');
    await confirmation.getByRole('button', { name: 'Discard invitation' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

test.describe('notification settings', () => {
  const save = (page: Page) => page.getByRole('button', { name: 'Save Settings' });
  const url = /\/rest\/v1\/notification_settings/;

  test('inserts on the first save and updates by id on the next one', async ({ page, backend }) => {
    await page.goto('/admin/notifications');
    await expect(page.getByLabel('Sender Name')).toHaveValue('Beacon');
    await page.getByLabel('Sender Email Address').fill('alerts@example.org');
    await save(page).click();
    await expect(toastWith(page, 'Settings saved')).toContainText(
      'Notification settings have been updated successfully',
    );
    await page.getByLabel('Sender Name').fill('Pier Alerts');
    await save(page).click();
    await expect
      .poll(() => backend.tables['notification_settings']?.[0]?.['sender_name'])
      .toBe('Pier Alerts');
    const [read] = requestsTo(backend, /^GET .*notification_settings/);
    expect(read?.path).toBe('/rest/v1/notification_settings?select=*&limit=1');
    const [update] = requestsTo(backend, /^PATCH/);
    expect(update?.path).toBe('/rest/v1/notification_settings?id=eq.notification_settings-0');
    expect(update?.body).toEqual({ sender_email: 'alerts@example.org', sender_name: 'Pier Alerts' });
    await expect(toastWith(page, /^Error/)).toHaveCount(0);
  });

  test('shows settings that cannot be loaded or saved', async ({ page, backend, expectedMessages }) => {
    expectedMessages.push(/Failed to load resource/);
    backend.substitute(url, down, 1);
    await page.goto('/admin/notifications');
    await expect(toastWith(page, 'Failed to load notification settings')).toContainText('Error');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByLabel('Sender Email Address').fill('alerts@example.org');
    for (const [response, text] of [
      [down, 'The database is down'],
      [{ status: 503, body: html }, '(Status 503)'],
      [{ status: 200, body: html }, 'Failed to save notification settings'],
    ] as const) {
      backend.substitute(/^POST/, response, 1);
      await save(page).click();
      await expect(toastWith(page, text)).toContainText('Error');
    }
    await expect(page.getByText(/Bad gateway of|<html/)).toHaveCount(0);
  });
});

test('logs a failed profile and shows the email instead', async ({ page, backend, expectedMessages }) => {
  expectedMessages.push(failedLoad(406), /The profile could not be loaded/);
  backend.tables['profiles'] = [];
  await page.goto('/admin/logs');
  await expect(page.getByRole('button', { name: owner.email })).toBeVisible();
  await expect(toastWith(page, /./)).toHaveCount(0);
});

test('adds and removes an authenticator app and unlinks an identity', async ({
  page,
  backend,
  expectedMessages,
}) => {
  expectedMessages.push(failedLoad(422));
  const identity = (provider: string): Row => ({
    identity_id: provider,
    id: provider,
    provider,
    identity_data: {},
  });
  backend.user.identities.push(identity('email'), identity('github'));
  await page.goto('/admin/me/security');
  await page.getByRole('button', { name: 'Unlink GitHub' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /Unlink/ })
    .click();
  await expect.poll(() => backend.user.identities).toHaveLength(1);
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  const code = page.getByRole('dialog').getByLabel('Code');
  await code.fill('000000');
  await code.press('Enter');
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await code.fill('123456');
  await code.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: /^Remove/ }).click();
  const confirmation = page.getByRole('alertdialog');
  await expect(confirmation).not.toContainText('recovery codes');
  await confirmation.getByRole('button', { name: /Remove/ }).click();
  await expect.poll(() => backend.user.factors).toEqual([]);
  expect(requestsTo(backend, /\/challenge$/).length).toBeGreaterThan(0);
});
