/**
 * Measures size and speed of the two initial pages on a slow phone: cold cache, 1.6 Mbit/s, 150 ms latency, a
 * four times slower processor. Run `npm run build`, then `npm run bench -- page`. Prints medians of three runs
 * and the largest modules of the bundle.
 */
import { median, openPage, printTable, runs } from './page/browser.mjs';
import { largestModules } from './page/bundle.mjs';
import { memoryAfterScreenChanges, measureTyping } from './page/long-list.mjs';
import { startInstance } from './page/instance.mjs';
import { measureScreenChanges } from './page/navigation.mjs';

const slow = { cpu: 4, network: { latency: 150, bitsPerSecond: 1_600_000 } };

const signIn = { name: '/auth', path: '/auth', ready: 'form', session: false };
const accounts = { name: '/admin/accounts', path: '/admin/accounts', ready: 'rows', session: true };

/** Returns medians of first visits to a page. */
const firstVisits = async (page) => {
  const measured = [];
  for (let run = 0; run < runs; run += 1) {
    const opened = await openPage(instance, page.session, slow);
    measured.push(await opened.measure(page));
    await opened.close();
  }
  const medianOf = (pick) => median(measured.map(pick));
  printTable(`${page.name}: requests`, measured[0].sent);
  return {
    page: page.name,
    kB: (medianOf((m) => m.bytes) / 1000).toFixed(1),
    requests: medianOf((m) => m.requests),
    depth: medianOf((m) => m.depth),
    'text ms': Math.round(medianOf((m) => m.text)),
    'usable ms': Math.round(medianOf((m) => m.usable)),
    CLS: medianOf((m) => m.cls).toFixed(4),
  };
};

const instance = await startInstance();
try {
  printTable('First visit (medians)', [await firstVisits(signIn), await firstVisits(accounts)]);
  printTable('Ten largest modules of the console', await largestModules(10));
  printTable('Navigation to visited screens', [
    await measureScreenChanges(instance, 1),
    await measureScreenChanges(instance, 4),
  ]);
  await instance.addAccounts(30, 5000);
  printTable('First visit with 5,000 accounts (medians)', [
    await firstVisits({ ...accounts, name: '/admin/accounts, 5,000 accounts' }),
  ]);
  printTable('Typing in the search of 5,000 accounts, processor 4x slower', await measureTyping(instance));
  printTable('Memory over 200 screen changes', await memoryAfterScreenChanges(instance));
} finally {
  await instance.stop();
}
