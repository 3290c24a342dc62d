/** Linked accounts on the Security screen. */
import type { Page } from '@playwright/test';
import { expect, test, toastWith } from '../support/console-fixtures.ts';
import { itemsIn, openSecurity, section } from '../support/security-page.ts';
import type { TestUser } from '../support/users.ts';

test.describe('linked accounts', () => {
  test.use({ as: 'plain' });

  /** Responds with a user who has these identities. Returns a function that changes them. */
  async function respondWithIdentities(page: Page, { id, email }: TestUser, ...providers: string[]) {
    const toIdentity = (provider: string) => ({
      identity_id: `00000000-0000-4000-8000-00000000000${provider.length}`,
      id: provider,
      user_id: id,
      provider,
      identity_data: { email: `robin@${provider}.example` },
      created_at: '2026-05-01T08:00:00Z',
    });
    let identities = providers.map(toIdentity);
    await page.route(/\/auth\/v1\/user$/, (route) =>
      route.fulfill({
        json: {
          id,
          email,
          aud: 'authenticated',
          app_metadata: {},
          user_metadata: {},
          identities,
          created_at: '2026-05-01T08:00:00Z',
        },
      }),
    );
    return (...changed: string[]) => {
      identities = changed.map(toIdentity);
    };
  }

  test('lists no identity of an email address', async ({ page }) => {
    await openSecurity(page);
    await expect(section(page, 'Linked accounts')).toContainText('No linked accounts.');
    await expect(itemsIn(page, 'Linked accounts')).toHaveCount(0);
  });

  test('shows no Unlink button for the only identity of a user', async ({ page, users }) => {
    await respondWithIdentities(page, await users.plain(), 'google');
    await openSecurity(page);
    await expect(itemsIn(page, 'Linked accounts')).toContainText(
      'This is your only linked account, so you cannot unlink it.',
    );
    await expect(section(page, 'Linked accounts').getByRole('button')).toHaveCount(0);
  });

  test('unlinks one of two accounts, by name', async ({ page, users }) => {
    const setIdentities = await respondWithIdentities(
      page,
      await users.plain(),
      'email',
      'google',
      'linkedin',
    );
    await page.route(/\/auth\/v1\/user\/identities\//, (route) => {
      setIdentities('email', 'linkedin');
      return route.fulfill({ json: {} });
    });
    await openSecurity(page);
    await page.getByRole('button', { name: 'Unlink Google' }).click();
    const confirmation = page.getByRole('alertdialog', { name: 'Unlink Google?' });
    await expect(confirmation).toContainText('robin@google.example');
    const deleteRequest = page.waitForRequest((request) => request.method() === 'DELETE');
    await confirmation.getByRole('button', { name: 'Unlink account' }).click();
    expect((await deleteRequest).url()).toMatch(/00006$/);
    await expect(toastWith(page, 'Account unlinked')).toBeVisible();
    await expect(itemsIn(page, 'Linked accounts')).toHaveCount(1);
  });
});
