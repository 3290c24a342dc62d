/** Pages that the browser changes: translators, extensions, blocked storage, input methods. */
import type { Locator, Page } from '@playwright/test';
import { account, insertRows, unique } from '../support/api.ts';
import { openAdmins } from '../support/admins-page.ts';
import { openAccounts, openDialog, panel, rowFor } from '../support/accounts-page.ts';
import { expect, failedLoad, holdRequests, test, toastWith } from '../support/console-fixtures.ts';
import { pageConditions } from '../support/page-conditions.ts';
import { emailField, passwordField, requestsTo } from '../support/forms.ts';
import { openPalette } from '../support/palette.ts';

for (const condition of ['translated', 'retranslated', 'split'] as const) {
  test.describe(`a page that is ${condition}`, () => {
    test.use({ as: 'administrator' });

    test('shows screens, searches, dialogs and their results', async ({ page, context, instance }) => {
      const word = unique('translated');
      await insertRows(instance, 'accounts', [account(`${word} One`), account(`${word} Two`)]);
      await context.addInitScript(pageConditions[condition]);
      await openAccounts(page);
      const isChanged = (heading: Element): boolean =>
        heading.firstElementChild !== null || heading.childNodes.length > 1;
      await expect.poll(() => page.locator('h1').first().evaluate(isChanged)).toBe(true);
      await page.getByRole('searchbox').fill(`${word} two`);
      await expect(rowFor(page, `${word} Two`)).toBeVisible();
      await expect(rowFor(page, `${word} One`)).toHaveCount(0);
      await page.getByRole('searchbox').fill(word);
      await expect(rowFor(page, `${word} One`)).toBeVisible();
      await rowFor(page, `${word} One`).getByRole('link').click();
      await panel(page, `${word} One`).getByRole('button', { name: 'Edit', exact: true }).click();
      const form = page.getByRole('dialog', { name: 'Edit Account', exact: true });
      await form.getByLabel('Account Name').fill(' ');
      await form.getByLabel('City').fill('Vail');
      await form.getByRole('button', { name: 'Save Changes' }).click();
      await expect(form.getByText('Account name is required')).toBeVisible();
      await expect(form.getByLabel('City')).toHaveValue('Vail');
      await form.getByLabel('Account Name').fill(`${word} Three`);
      await form.getByRole('button', { name: 'Save Changes' }).click();
      await expect(toastWith(page, 'Account saved')).toBeVisible();
      await expect(panel(page, `${word} Three`)).toContainText('Vail');
      await expect(rowFor(page, `${word} One`)).toHaveCount(0);
      for (const name of ['Admins', 'Notifications', 'Accounts']) {
        await page.getByRole('navigation').getByRole('link', { name }).click();
        await expect(page.getByRole('heading', { level: 1 })).toContainText(
          name === 'Notifications' ? 'Notification Settings' : name,
        );
      }
    });
  });

  test(`keeps the input of a ${condition} sign-in`, async ({ page, context, users, expectMessage }) => {
    expectMessage(failedLoad(400));
    await context.addInitScript(pageConditions[condition]);
    const { email } = await users.plain();
    await page.goto('/auth');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('a wrong password');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(toastWith(page, 'Sign in failed')).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('a wrong password');
    await expect(page.getByRole('button', { name: 'Sign In' })).toHaveText('Sign In');
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await expect(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toHaveCount(0);
  });
}

/** Returns the texts with the word that a translator may change. */
const translatable = (page: Page, word: string): Promise<string[]> =>
  page.evaluate((data) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walker.nextNode()) {
      const { data: text, parentElement } = walker.currentNode as Text;
      const isKept = parentElement?.closest('[translate=no],script,style,option') !== null;
      if (text.toLowerCase().includes(data) && !isKept) found.push(text);
    }
    return found;
  }, word);

test.describe('a translator', () => {
  test.use({ as: 'administrator' });

  test('changes no name, email address, slug or place', async ({ page, users, instance }) => {
    const word = 'ledgerwood';
    const name = `${unique('Ledgerwood')} Patrol`;
    const [row] = await insertRows(instance, 'accounts', [account(name, { city: 'Ledgerwood' })]);
    const user = await users.create({ fullName: 'Lea Ledgerwood' });
    await insertRows(instance, 'account_members', [{ account_id: row?.['id'], user_id: user.id }]);
    const check = async (shown: Locator): Promise<void> => {
      await expect(shown.first()).toBeVisible();
      expect(await translatable(page, word)).toEqual([]);
    };
    await openAccounts(page);
    await rowFor(page, name).getByRole('link').click();
    await check(panel(page, name).getByText('Lea Ledgerwood'));
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await check(toastWith(page, 'Account archived').getByText(name));
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await check(page.getByText('already matches the name.'));
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: 'Edit Account' })).toHaveCount(0);
    await openPalette(page);
    await page.keyboard.insertText('lea ledgerwood');
    await check(page.getByRole('option', { name: 'Lea Ledgerwood' }));
    await page.keyboard.press('Enter');
    await check(page.getByRole('heading', { name: 'Sessions', exact: true }));
    await page.getByRole('button', { name: 'Change end date' }).click();
    await check(page.getByRole('dialog', { name: 'End date for Lea Ledgerwood' }));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove administrator' }).click();
    await check(page.getByRole('alertdialog', { name: 'Remove Lea Ledgerwood as an administrator?' }));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.goto('/admin/handover');
    await check(page.getByRole('listitem').filter({ hasText: name }));
    await page.goto('/admin/activity');
    await check(page.getByText(name));
  });
});

/** What extensions do to the sign-in page before the script of the page runs. */
const extensions: Readonly<Record<string, () => void>> = {
  'inserts elements after the fields': pageConditions.extension,
  'wraps the fields': () =>
    addEventListener('DOMContentLoaded', () => {
      for (const input of document.querySelectorAll('input')) {
        const frame = document.createElement('span');
        input.before(frame);
        frame.append(input);
      }
    }),
  'adds a bar at the top, attributes and an icon in the button': () =>
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.setAttribute('data-dark-reader', 'on');
      document.body.setAttribute('cz-shortcut-listen', 'true');
      document.querySelector('form')?.prepend(document.createElement('nav'));
      document.querySelector('#root')?.prepend(document.createElement('aside'));
      document.querySelector('button[type=submit]')?.prepend(document.createElement('img'));
    }),
  'changes the labels and replaces the fields by copies': () =>
    addEventListener('DOMContentLoaded', () => {
      for (const label of document.querySelectorAll('label')) label.append(' *');
      for (const input of document.querySelectorAll('input')) input.replaceWith(input.cloneNode(true));
    }),
};

for (const [what, change] of Object.entries(extensions)) {
  test(`keeps email and password if an extension ${what} before the script runs`, async ({
    page,
    context,
  }) => {
    await context.addInitScript(change);
    await page.route(/\/assets\/.*\.js/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await route.continue();
    });
    await page.goto('/auth', { waitUntil: 'commit' });
    await page.getByLabel('Email').fill('ann@example.org');
    await page.getByLabel('Password', { exact: true }).pressSequentially('lantern');
    await page.waitForFunction(() =>
      Object.keys(document.querySelector('form') ?? {}).some((name) => name.startsWith('__reactProps')),
    );
    await page.keyboard.type(' on the pier');
    await expect(page.getByLabel('Email')).toHaveValue('ann@example.org');
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('lantern on the pier');
  });
}

for (const [what, change] of Object.entries({
  ...extensions,
  'translates the page': pageConditions.translated,
  'replaces its texts': pageConditions.retranslated,
})) {
  test(`repeats an early press on a button if an extension ${what}`, async ({ page, context }) => {
    await context.addInitScript(change);
    const { release } = await holdRequests(page, /\/assets\/.*\.js$/);
    await page.goto('/auth', { waitUntil: 'commit' });
    await page.getByLabel('Email').fill('ann@example.org');
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    release();
    await expect(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue('ann@example.org');
  });
}

/** Ways of browsers to block storage, besides the errors of both storages below. */
const blockedStorages: Readonly<Record<string, () => void>> = {
  'only sessionStorage throws': () =>
    Object.defineProperty(window, 'sessionStorage', {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    }),
  'localStorage is null': () => Object.defineProperty(window, 'localStorage', { value: null }),
  'an empty storage is full': () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Quota exceeded.', 'QuotaExceededError');
    };
  },
};

test.describe('a browser that blocks storage', () => {
  for (const [what, block] of Object.entries(blockedStorages)) {
    test(`explains what to change if ${what}`, async ({ page }) => {
      await page.addInitScript(block);
      await page.goto('/auth/callback?token_hash=abc&type=invite&setup=true');
      await expect(page.getByRole('alert')).toContainText('Allow cookies and site data for 127.0.0.1');
    });
  }

  for (const [name, path] of [
    ['the sign-in page', '/auth'],
    ['an invitation link', '/auth/callback?token_hash=abc&type=invite&setup=true'],
    ['a screen', '/admin/accounts'],
  ] as const) {
    test(`explains what to change on ${name}, and sends nothing`, async ({ page }) => {
      await page.addInitScript(() => {
        for (const storage of ['localStorage', 'sessionStorage'])
          Object.defineProperty(window, storage, {
            get: () => {
              throw new DOMException('Access is denied for this document.', 'SecurityError');
            },
          });
      });
      const calls: string[] = [];
      page.on('request', (request) => {
        if (/\/(?:auth|rest|functions)\/v1\//.test(request.url())) calls.push(request.url());
      });
      await page.goto(path);
      await expect(page.getByRole('alert')).toContainText('Allow cookies and site data for 127.0.0.1');
      expect(calls).toEqual([]);
      await expect(page).toHaveURL(path);
    });
  }
});

/** Composes text as an input method does. */
async function compose(page: Page, text: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Input.imeSetComposition', {
    text,
    selectionStart: text.length,
    selectionEnd: text.length,
  });
}

test('Enter of a composition does not submit the sign-in', async ({ page, expectMessage }) => {
  const tokens = requestsTo(page, /\/auth\/v1\/token/, 'POST');
  expectMessage(failedLoad(400));
  await page.goto('/auth');
  await passwordField(page).fill('a wrong password');
  await emailField(page).fill('ren');
  await compose(page, 'é');
  await page.keyboard.press('Enter');
  await expect(emailField(page)).toHaveValue(/^ren/);
  expect(tokens).toEqual([]);
  await emailField(page).fill('rene@example.org');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Invalid login credentials')).toBeVisible();
  expect(tokens).toHaveLength(1);
});

test.describe('keys', () => {
  test.use({ as: 'administrator' });

  test('Escape and Enter of a composition belong to it', async ({ page }) => {
    await openAccounts(page);
    const search = page.getByRole('searchbox');
    await search.fill('ab');
    await compose(page, 'か');
    await page.keyboard.press('Escape');
    await expect(search).toHaveValue(/ab/);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search or run a command' });
    await palette.getByRole('combobox').focus();
    await compose(page, 'か');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await expect(palette).toBeVisible();
    await expect(page).toHaveURL(/\/admin\/accounts/);
  });

  test('Escape of a composition closes no dialog and clears no other search', async ({ page }) => {
    await openAccounts(page);
    const form = await openDialog(page);
    await form.getByLabel('Account Name').fill('Seoul');
    await compose(page, '한');
    await page.keyboard.press('Escape');
    await expect(form.getByLabel('Account Name')).toHaveValue(/Seoul/);
    await openAdmins(page);
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('searchbox').fill('Ma');
    await compose(page, 'ñ');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('searchbox')).toHaveValue(/Ma/);
  });

  test('Back closes the topmost layer and stays on the screen, and Forward closes it, too', async ({
    page,
  }) => {
    await openAccounts(page);
    await page.getByRole('link', { name: 'Notifications' }).click();
    const title = page.getByRole('heading', { name: 'Notification Settings', level: 1 });
    await expect(title).toBeVisible();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search or run a command' });
    await expect(palette).toBeVisible();
    await page.goBack();
    await expect(palette).toHaveCount(0);
    await expect(title).toBeVisible();
    await page.getByRole('button', { name: 'Administrator' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(title).toBeVisible();
    await page.setViewportSize({ width: 375, height: 700 });
    await page.getByRole('button', { name: 'Toggle Sidebar' }).click();
    const sheet = page.getByRole('dialog', { name: 'Navigation' });
    await expect(sheet).toBeVisible();
    await page.goBack();
    await expect(sheet).toHaveCount(0);
    await expect(page).toHaveURL(/notifications/);
    await page.goBack();
    await expect(page).toHaveURL(/accounts/);
    await page.keyboard.press('Control+k');
    await expect(palette).toBeVisible();
    await page.goForward();
    await expect(page).toHaveURL(/notifications/);
    await expect(palette).toHaveCount(0);
  });
});

test.describe('an error while a page is drawn', () => {
  /** Lets the page fail to create forms, the given number of times. */
  const failForms = (page: Page, count: number): Promise<void> =>
    page.evaluate((failures) => {
      let left = failures;
      const create = Reflect.get(document, 'createElement') as (name: string) => Element;
      const createOrFail = new Proxy(create, {
        apply: (_create, _document, [name, ...rest]: [string, ...unknown[]]) => {
          if (name === 'form' && left-- > 0)
            throw new DOMException('The form cannot be created.', 'NotSupportedError');
          return Reflect.apply(create, document, [name, ...rest]);
        },
      });
      Reflect.set(document, 'createElement', createOrFail);
    }, count);

  for (const [what, count] of [
    ['once', 1],
    ['again and again', 1000],
  ] as const) {
    test(`${what}: shows the page again, or a sentence with a way out`, async ({ page, expectMessage }) => {
      expectMessage(/cannot be created/);
      await page.goto('/auth');
      await page.getByLabel('Email').fill('ann@example.org');
      await failForms(page, count);
      await page.getByRole('button', { name: 'Forgot password?' }).click();
      if (count === 1) {
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.getByLabel('Email')).toBeEditable();
      } else {
        await expect(page.getByRole('alert')).toContainText('This page could not be shown');
        await page.getByRole('button', { name: 'Retry' }).click();
        await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
      }
    });
  }
});
