/** Bytes until the two initial pages are usable with a cold cache, compared with their budgets. */
import { median, openPage } from '../page/browser.mjs';
import { startInstance } from '../page/instance.mjs';
import { reportRow } from './report.mjs';

/** Goals of docs/benchmarks.md, which e2e/frame/page-weight.dedicated.spec.ts checks. */
const pages = [
  { path: '/auth', session: false, maxKb: 110 },
  { path: '/admin/accounts', session: true, maxKb: 190 },
];

export async function measurePageWeight({ runs }) {
  const instance = await startInstance();
  try {
    const rows = [];
    for (const { path, session, maxKb } of pages) {
      const weights = [];
      for (let run = 0; run < runs; run += 1) {
        const page = await openPage(instance, session, {});
        weights.push((await page.measure({ path })).bytes / 1000);
        await page.close();
      }
      rows.push(reportRow(`${path} until usable, kB`, median(weights), 'budget', maxKb, '1 or less'));
    }
    return rows;
  } finally {
    await instance.stop();
  }
}
