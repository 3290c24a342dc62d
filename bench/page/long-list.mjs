/** Measures the console with thousands of accounts, and its memory after many screen changes. */
import { median, openPage } from './browser.mjs';

/** Returns the time from a key press in the search box to the next frame, in ms. */
export async function measureTyping(instance) {
  const { page, close } = await openPage(instance, true, { cpu: 4 });
  await page.goto(`${instance.url}/admin/accounts`);
  await page.locator('tr[data-account]').first().waitFor();
  const box = page.getByRole('searchbox', { name: 'Search accounts' });
  await box.focus();
  await page.evaluate(() => {
    window.keys = [];
    addEventListener(
      'keydown',
      () => {
        const from = performance.now();
        // The message arrives after the frame that follows the key press.
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.addEventListener('message', () => window.keys.push(performance.now() - from));
          channel.port1.start();
          channel.port2.postMessage(null);
        });
      },
      { capture: true },
    );
  });
  for (const key of 'patrol 4321') await page.keyboard.press(key === ' ' ? 'Space' : key, { delay: 60 });
  for (let n = 0; n < 11; n += 1) await page.keyboard.press('Backspace', { delay: 60 });
  await page.waitForTimeout(500);
  const keys = await page.evaluate(() => window.keys);
  await close();
  return [
    { keys: keys.length, 'median ms': median(keys).toFixed(1), 'worst ms': Math.max(...keys).toFixed(1) },
  ];
}

const screens = ['Admins', 'Notifications', 'Styleguide', 'Logs', 'Accounts'];

/** Returns the used heap after garbage collection, every 50 screen changes. */
export async function memoryAfterScreenChanges(instance) {
  const { page, devtools, close } = await openPage(instance, true, {});
  await page.goto(`${instance.url}/admin/accounts`);
  await page.locator('tr[data-account]').first().waitFor();
  const rows = [];
  for (let changes = 0; changes <= 200; changes += 1) {
    if (changes % 50 === 0) {
      await devtools.send('HeapProfiler.collectGarbage');
      const { usedSize } = await devtools.send('Runtime.getHeapUsage');
      const { nodes, documents, jsEventListeners } = await devtools.send('Memory.getDOMCounters');
      rows.push({
        changes,
        'heap MB': (usedSize / 1e6).toFixed(1),
        nodes,
        documents,
        listeners: jsEventListeners,
      });
    }
    const name = screens[changes % screens.length];
    await page.getByRole('link', { name, exact: true }).click();
    await page
      .getByRole('heading', {
        level: 1,
        name: name === 'Styleguide' ? /design system/i : name === 'Notifications' ? /Notification/ : name,
      })
      .waitFor();
  }
  await close();
  return rows;
}
