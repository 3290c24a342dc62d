/** Measures the time from a click in the sidebar to the frame of a previously visited screen. */
import { median, openPage } from './browser.mjs';

const screens = ['Admins', 'Notifications', 'Styleguide', 'Logs', 'Accounts'];
const rounds = 6;

/**
 * Runs in the page: records for each click when the heading changed, and whether a loading state was visible.
 */
function observeChanges() {
  window.changes = [];
  addEventListener(
    'click',
    () => {
      const from = performance.now();
      const heading = () => document.querySelector('h1')?.textContent;
      const before = heading();
      let loading = false;
      const check = () => {
        loading ||= document.querySelector('main [aria-busy="true"]') !== null;
        const current = heading();
        if (current === before || current === undefined) return requestAnimationFrame(check);
        // The message arrives after the frame.
        const channel = new MessageChannel();
        channel.port1.addEventListener('message', () =>
          window.changes.push({ ms: performance.now() - from, loading }),
        );
        channel.port1.start();
        return channel.port2.postMessage(null);
      };
      requestAnimationFrame(check);
    },
    { capture: true },
  );
}

/**
 * Measures screen changes.
 *
 * @param cpu slowdown factor of the processor
 */
export async function measureScreenChanges(instance, cpu) {
  const { page, close } = await openPage(instance, true, { cpu });
  await page.goto(`${instance.url}/admin/accounts`);
  await page.locator('tr[data-account]').first().waitFor();
  await page.evaluate(observeChanges);
  for (let change = 0; change < screens.length * rounds; change += 1) {
    const done = change + 1;
    await page.getByRole('link', { name: screens[change % screens.length], exact: true }).click();
    await page.waitForFunction((count) => window.changes.length === count, done);
    await page.waitForTimeout(150);
  }
  // The first round visits the screens.
  const changes = (await page.evaluate(() => window.changes)).slice(screens.length);
  await close();
  const times = changes.map(({ ms }) => ms);
  return {
    'processor slower by': cpu,
    changes: changes.length,
    'median ms': Math.round(median(times)),
    'worst ms': Math.round(Math.max(...times)),
    'with a loading state': changes.filter(({ loading }) => loading).length,
  };
}
