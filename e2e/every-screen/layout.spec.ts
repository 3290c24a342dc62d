/** Layout of toasts, tables and print. */
import type { Locator, Page } from '@playwright/test';
import { openAccounts, openNewAccount } from '../support/accounts-page.ts';
import { fillInvitation, openAdmins } from '../support/admins-page.ts';
import { openPanel } from '../support/admins-panel.ts';
import { respondWith, expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { emailField, passwordField } from '../support/forms.ts';
import { account, insertRows, unique } from '../support/api.ts';
import { horizontalOverflow } from '../support/horizontal-scroll.ts';

/** Checks that a click reaches the element after scrolling. */
const reachable = (control: Locator): Promise<void> => control.click({ trial: true, timeout: 5000 });

/** Returns true if a click at the center of the element reaches it without scrolling. */
const onTop = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => {
    const box = element.getBoundingClientRect();
    const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return element.contains(found);
  });

test('toasts do not cover the sign-in form on a phone', async ({ page, expectMessage }) => {
  expectMessage(failedLoad(400));
  await page.setViewportSize({ width: 375, height: 560 });
  await page.goto('/auth');
  await emailField(page).fill('unknown@example.org');
  await passwordField(page).fill('not this one');
  await passwordField(page).press('Enter');
  await expect(toastWith(page, 'Sign in failed')).toBeVisible();
  await reachable(page.getByRole('button', { name: 'Forgot password?' }));
  await reachable(page.getByRole('button', { name: 'Sign In', exact: true }));
});

test.describe('signed in', () => {
  test.use({ as: 'administrator' });

  for (const [width, height] of [
    [812, 375],
    [820, 600],
    [1024, 700],
  ] as const) {
    test(`an error covers no control of its dialog at ${width} by ${height} px`, async ({
      page,
      expectMessage,
    }) => {
      expectMessage(failedLoad(500));
      await page.setViewportSize({ width, height });
      await respondWith(
        page,
        /\/rest\/v1\/accounts/,
        500,
        { message: 'The service is down. '.repeat(20) },
        'POST',
      );
      const form = await openNewAccount(page);
      await form.getByLabel('Account Name').fill(unique('low'));
      await form.getByLabel('Type').selectOption('enterprise');
      await form.getByRole('button', { name: 'Create Account' }).click();
      await expect(toastWith(page, 'Error creating account')).toBeVisible();
      for (const name of ['Create Account', 'Cancel', 'Close'])
        await reachable(form.getByRole('button', { name }));
    });
  }

  test('keeps search, filters and View of the accounts on one line at 820 px', async ({ page }) => {
    await page.setViewportSize({ width: 820, height: 900 });
    await openAccounts(page);
    const controls = [
      page.getByRole('searchbox'),
      page.getByLabel('Type', { exact: true }),
      page.getByLabel('Subtype', { exact: true }),
      page.getByRole('button', { name: 'View', exact: true }),
    ];
    const boxes = await Promise.all(controls.map((control) => control.boundingBox()));
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
  });

  for (const width of [1280, 375]) {
    test(`toasts cover no control at ${width} px`, async ({ page, expectMessage }) => {
      expectMessage(failedLoad(500));
      await page.setViewportSize({ width, height: 620 });
      const sends = /\/functions\/v1\/send-user-invitation/;
      const email = `${unique('uncovered')}@example.org`;
      await openAdmins(page);
      let form = await fillInvitation(page, 'Robin Uncovered', email);
      await form.getByRole('button', { name: 'Send Invitation' }).click();
      await expect(toastWith(page, 'Invitation sent!')).toBeVisible();
      await respondWith(page, sends, 500, { message: 'The mail server is down. '.repeat(6) });

      // Dialog.
      form = await fillInvitation(page, 'Robin Uncovered', email);
      await form.getByRole('button', { name: 'Send Invitation' }).click();
      await expect(toastWith(page, 'Failed to send invitation')).toHaveCount(1);
      await reachable(form.getByRole('button', { name: 'Send Invitation' }));
      await reachable(form.getByRole('button', { name: 'Cancel' }));
      await page.unroute(sends);
      await respondWith(page, sends, 200, { success: false, reason: 'unverified' });
      await form.getByRole('button', { name: 'Send Invitation' }).click();
      await expect(toastWith(page, 'User Created Successfully')).toBeVisible();

      // Panel, from the first to the last control.
      const panel = await openPanel(page, email, 'Robin Uncovered');
      await expect(toastWith(page, /./)).not.toHaveCount(0);
      for (const name of ['Close', 'Resend', 'Revoke invitation']) {
        await reachable(panel.getByRole('button', { name, exact: true }));
      }

      // Dialog over the panel.
      await panel.getByRole('button', { name: 'Edit note and expiry' }).click();
      const terms = page.getByRole('dialog', { name: 'Note and Expiry' });
      await expect(toastWith(page, /./)).not.toHaveCount(0);
      for (const name of ['Save', 'Cancel'])
        await reachable(terms.getByRole('button', { name, exact: true }));
      await page.keyboard.press('Escape');
      await expect(terms).toHaveCount(0);
      await page.keyboard.press('Escape');
      await expect(panel).toHaveCount(0);

      // Page and sidebar.
      await page.goto('/admin/notifications');
      for (const method of ['POST', 'PATCH']) {
        await respondWith(page, /\/rest\/v1\/notification_settings/, 500, { message: 'Unavailable' }, method);
      }
      await page.getByLabel('Sender Email Address').fill('someone@example.org');
      await page.getByRole('button', { name: 'Save Settings' }).click();
      await expect(toastWith(page, 'Error')).toBeVisible();
      await reachable(page.getByRole('button', { name: 'Send test email' }));
      await reachable(page.getByRole('button', { name: 'Save Settings' }));
      if (width > 767) return;
      await page.getByRole('button', { name: 'Toggle Sidebar' }).click();
      const sheet = page.getByRole('dialog', { name: 'Navigation' });
      await reachable(sheet.getByRole('link').first());
      await reachable(sheet.getByRole('button').last());
    });
  }

  test('toasts do not cover content that was in view, and stay in the viewport', async ({
    page,
    users,
    expectMessage,
  }) => {
    expectMessage(failedLoad(500));
    await page.setViewportSize({ width: 375, height: 1200 });
    const email = `${unique('beneath')}@example.org`;
    await users.invite(email, 'Robin Beneath');
    await respondWith(page, /\/functions\/v1\/send-user-invitation/, 500, { message: 'Unavailable' });
    await openAdmins(page);
    const panel = await openPanel(page, email, 'Robin Beneath');
    const revoke = panel.getByRole('button', { name: 'Revoke invitation' });
    await expect(panel.getByText('Email accepted by the mail server')).toBeVisible();
    // The viewport is exactly as high as the panel.
    const lowest = (await revoke.boundingBox())?.y ?? 0;
    await page.setViewportSize({ width: 375, height: Math.ceil(lowest) + 60 });
    await expect.poll(() => onTop(revoke)).toBe(true);
    await panel.getByRole('button', { name: 'Resend' }).click();
    const message = toastWith(page, 'Failed to resend invitation');
    await expect(message).toBeVisible();
    await expect.poll(() => onTop(revoke)).toBe(true);

    // Minimum width for the panel next to the list.
    await page.setViewportSize({ width: 768, height: 900 });
    await expect.poll(async () => (await message.boundingBox())?.x).toBeGreaterThanOrEqual(0);
    await expect.poll(() => onTop(message.getByRole('button'))).toBe(true);

    // A dialog that is higher than the viewport, scrolled to its top.
    await page.setViewportSize({ width: 375, height: 560 });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Invite Admin' }).click();
    const close = page.getByRole('dialog').getByRole('button', { name: 'Close' });
    await expect(close).toBeVisible();
    await page.setViewportSize({ width: 375, height: 340 });
    await close.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    expect(await onTop(close)).toBe(true);
    // Its bottom keeps its position when the toast closes.
    const send = page.getByRole('button', { name: 'Send Invitation' });
    await send.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const box = await send.boundingBox();
    await message.getByRole('button').click();
    await expect(message).toHaveCount(0);
    await expect.poll(() => send.boundingBox()).toEqual(box);
  });

  test(
    'fits the list to the height of the window, or scrolls the page if the window is too low',
    { tag: '@I4' },
    async ({ page, instance }) => {
      const word = unique('High');
      await insertRows(
        instance,
        'accounts',
        Array.from({ length: 60 }, (_, n) => account(`${word} ${n}`)),
      );
      const frame = page.getByRole('region', { name: 'Accounts' });
      /** Reads the scrollable height of page and list in pixels, and the scroll bar style, because headless browsers show no scroll bar. */
      const scrolling = () =>
        frame.evaluate((list) => ({
          page: document.documentElement.scrollHeight - innerHeight,
          list: list.scrollHeight - list.clientHeight,
          bar: `${getComputedStyle(list).overflowY} ${getComputedStyle(list, '::-webkit-scrollbar').width}`,
        }));
      const footer = page.getByText('Page 1 of 1 (60 total)', { exact: true });
      for (const [width, height, rows] of [
        [1280, 800, 10],
        [1920, 1200, 10],
        [1920, 1400, 25],
        [820, 1180, 10],
      ] as const) {
        await page.setViewportSize({ width, height });
        await openAccounts(page, `?q=${word}&rows=${rows}`);
        const { page: rest, list, bar } = await scrolling();
        expect(rest, 'the page does not scroll').toBe(0);
        expect(list).toBeGreaterThan(0);
        expect(bar, 'the scroll bar is always visible').toBe('scroll 12px');
        const { y = 0, height: high = 0 } = (await frame.boundingBox()) ?? {};
        expect(high).toBeGreaterThanOrEqual(rows * 44 + 42);
        // Below the list is only the footer with the total.
        expect(y + high).toBeGreaterThan(height - 90);
        await expect(footer).toBeInViewport();
      }
      for (const [width, height, rows] of [
        [1280, 800, 25],
        [812, 375, 10],
        [375, 667, 10],
      ] as const) {
        await page.setViewportSize({ width, height });
        await openAccounts(page, `?q=${word}&rows=${rows}`);
        await expect.poll(async () => (await scrolling()).list).toBe(0);
        expect((await scrolling()).page).toBeGreaterThan(1000);
        await page.mouse.move(width / 2, height / 2);
        await page.mouse.wheel(0, 1500);
        const rowHeight = (await frame.locator('[data-account]').first().boundingBox())?.height ?? 0;
        const passed = Math.round(1500 / rowHeight);
        await expect(frame.locator(`[data-account][aria-rowindex="${passed}"]`)).toBeInViewport();
        await expect(footer).toBeInViewport();
        if (width === 1280) await expect(page.getByRole('columnheader', { name: 'Name' })).toBeInViewport();
        expect(await horizontalOverflow(page)).toBe(0);
      }
      // In a higher window the list scrolls again.
      await page.setViewportSize({ width: 1280, height: 1000 });
      await expect.poll(async () => (await scrolling()).page).toBe(0);
      expect((await scrolling()).list).toBeGreaterThan(0);
    },
  );

  test(
    'marks the edge of a table that is wider than the screen, which scrolls by keyboard',
    { tag: '@I4' },
    async ({ page }) => {
      await page.setViewportSize({ width: 375, height: 740 });
      await page.goto('/admin/styleguide');
      const frame = page.getByRole('region', { name: 'Sample users' });
      await expect(frame.getByRole('cell').first()).toBeVisible();
      await frame.focus();
      const position = () => frame.evaluate((element) => element.scrollLeft);
      const edge = async (side: 'left' | 'right'): Promise<number> => {
        // Inside the border and the vertical scroll bar. In a row below the header of the page, which covers the top of
        // the list after the focus has scrolled it into view.
        const inner = await frame.evaluate((element) => {
          const left = element.getBoundingClientRect().left + element.clientLeft;
          const tops = [...element.querySelectorAll('tbody tr')].map(
            (row) => row.getBoundingClientRect().top,
          );
          return { left, right: left + element.clientWidth, top: tops.find((top) => top > 100) ?? 0 };
        });
        const x = side === 'right' ? inner.right - 3 : inner.left + 1;
        const clip = { x, y: inner.top + 6, width: 2, height: 1 };
        return darkness(page, await page.screenshot({ clip }));
      };
      expect(await position()).toBe(0);
      // A screenshot can show the frame before the last scroll step.
      const darkerOn = async (): Promise<'left' | 'right' | 'none'> => {
        const [left, right] = [await edge('left'), await edge('right')];
        if (left === right) return 'none';
        return left > right ? 'left' : 'right';
      };
      await expect.poll(darkerOn).toBe('right');
      // Only by keyboard: a scroll by script competes with the scroll animation of the keys.
      const isAtEnd = async (): Promise<boolean> => {
        await page.keyboard.press('ArrowRight');
        return frame.evaluate(
          ({ scrollLeft, scrollWidth, clientWidth }) => scrollLeft + clientWidth >= scrollWidth,
        );
      };
      await expect.poll(isAtEnd, { intervals: [50] }).toBe(true);
      await expect.poll(darkerOn).toBe('left');
    },
  );

  test('prints the complete list only, dark on white', { tag: '@I4' }, async ({ page, instance, users }) => {
    await users.invite(
      `${unique('printed')}@mountain-rescue.example.org`,
      'Maximiliana Hohenlohe-Waldenburg',
    );
    const oneWord = unique('word').replaceAll('-', '').repeat(20);
    await users.invite(`${oneWord.slice(0, 60)}@example.org`, oneWord.slice(0, 100));
    const names = Array.from({ length: 12 }, () =>
      account(`${unique('Printed')} Mountain Rescue of the Upper Valley`),
    );
    await insertRows(instance, 'accounts', [
      ...names,
      account(oneWord.slice(0, 100), { city: oneWord.slice(0, 60) }),
    ]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await openAccounts(page);
    // A4 at 96 px per inch with the default margins of browsers.
    await page.setViewportSize({ width: 718, height: 1047 });
    const colours = () =>
      page.evaluate(() => ({
        paper: getComputedStyle(document.body).backgroundColor,
        ink: getComputedStyle(document.querySelector('h1') ?? document.body).color,
      }));
    expect(await colours()).toEqual({ paper: 'rgb(14, 20, 28)', ink: 'rgb(230, 236, 244)' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect.poll(colours).toEqual({ paper: 'rgb(255, 255, 255)', ink: 'rgb(23, 33, 47)' });
    await expect(page.getByRole('complementary')).toBeHidden();
    for (const name of ['Toggle Sidebar', 'Add Account'])
      await expect(page.getByRole('button', { name })).toBeHidden();
    await openAccounts(page, '?status=suspended&sort=name.desc&q=Printed&type=enterprise');
    const head = page.locator('[data-print-head]');
    await expect(head).toContainText('Search:PrintedType:EnterpriseStatus:SuspendedSort by:Name, descending');
    await expect(head).toContainText(/Printed:.*20\d\d/);
    await expect(page.getByRole('searchbox')).toBeHidden();
    await expect(page.getByRole('combobox')).toHaveCount(0);
    await openAccounts(page);
    for (const list of ['Accounts', 'Admins']) {
      if (list === 'Admins') {
        await openAdmins(page);
        await expect(head).toContainText('Sort by:Invited At, newest first');
      }
      const headers = page.getByRole('table', { name: list }).getByRole('columnheader');
      const [first, second] = list === 'Admins' ? ['Name', 'Status'] : ['Name', 'Type'];
      expect((await headers.allInnerTexts()).filter((text) => text !== '').slice(0, 2)).toEqual([
        first,
        second,
      ]);
      const hidden = await page.getByRole('region', { name: list }).evaluate((frame) => {
        const parts = [frame, ...frame.querySelectorAll('td, td a')];
        return parts.some(
          (part) => part.scrollHeight > part.clientHeight || part.scrollWidth > part.clientWidth,
        );
      });
      expect(hidden, `hidden parts of ${list}`).toBe(false);
      await expect(page.getByRole('row').last()).toHaveCSS('break-inside', 'avoid');
      expect(await horizontalOverflow(page)).toBe(0);
    }
  });

  for (const width of [1280, 390])
    test(
      `prints the list without the open panel at ${width} px`,
      { tag: '@I4' },
      async ({ page, instance }) => {
        const name = unique('Printed');
        await insertRows(
          instance,
          'accounts',
          Array.from({ length: 60 }, (_, index) => account(`${name} ${index}`)),
        );
        await page.setViewportSize({ width, height: 800 });
        await openAccounts(page, `?q=${name}`);
        await page.getByRole('link', { name: `${name} 0`, exact: true }).click();
        const panel = page.getByRole('dialog', { name: `${name} 0` });
        await expect(panel).toBeVisible();
        const pages = async (): Promise<number> =>
          ((await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []).length;
        await page.emulateMedia({ media: 'print' });
        await expect(panel).toBeHidden();
        // As the browser does: renders all rows.
        await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
        // Not by role, because a modal panel hides the page from roles.
        await expect(page.locator('tr')).toHaveCount(61);
        const lastRow = await page.locator('tr').last().boundingBox();
        const footer = await page.getByText('Page 1 of 1 (60 total)').boundingBox();
        expect(footer?.y).toBeGreaterThan((lastRow?.y ?? 0) + (lastRow?.height ?? 0));
        expect(await pages()).toBeGreaterThan(1);
      },
    );
});

/** Returns the distance of the first pixel of an image from white, 0 to 255. */
const darkness = (page: Page, picture: Buffer): Promise<number> =>
  page.evaluate(
    async (bytes) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      context?.drawImage(bitmap, 0, 0);
      const [red = 0] = context?.getImageData(0, 0, 1, 1).data ?? [];
      return 255 - red;
    },
    [...picture],
  );
