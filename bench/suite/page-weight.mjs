/** Bytes until the two initial pages are usable with a cold cache, compared with their budgets. */
import { median, openPage } from '../page/browser.mjs';
import { startInstance } from '../page/instance.mjs';
import { reportRow } from './report.mjs';

/** Budgets in kB. docs/benchmarks.md describes their parts. */
const pages = [
  { path: '/auth', session: false, budget: 110 },
  { path: '/admin/accounts', session: true, budget: 175 },
];

export async function measurePageWeight({ runs }) {
  const instance = await startInstance();
  try {
    const rows = [];
    for (const { path, session, budget } of pages) {
      const weights = [];
      for (let run = 0; run < runs; run += 1) {
        const page = await openPage(instance, session, {});
        weights.push((await page.measure({ path })).bytes / 1000);
        await page.close();
      }
      rows.push(reportRow(`${path} until usable, kB`, median(weights), 'budget', budget, '1 or less'));
    }
    return rows;
  } finally {
    await instance.stop();
  }
}
